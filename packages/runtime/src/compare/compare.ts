import { requireEngineName } from '@palimpsest/plugins';
import { replayTranscript, type ReplayAsk } from '../replay/replay.ts';
import type { ReplayReport, ReplayTotals, Substitution } from '../replay/report.ts';
import type { HostRuntime } from '../runtime.ts';

export interface CompareAsk {
  readonly files: readonly string[];
  readonly engines: readonly string[];
  /** Tokens. */
  readonly window: number;
  readonly onProgress?: (at: { readonly file: string; readonly engine: string; readonly requests: number }) => void;
}
/** One engine over all files. Tokens; shares are of `inputTokens`. */
export interface Compared {
  readonly engine: string;
  readonly sessions: number;
  readonly totals: Pick<
    ReplayTotals,
    | 'requests'
    | 'inputTokens'
    | 'cacheReadTokens'
    | 'outputTokens'
    | 'reductions'
    | 'compactions'
    | 'hostCompactions'
    | 'peakInputTokens'
    | 'exhausted'
    | 'engineMs'
  >;
  readonly cachedShare: number;
  readonly isSound: boolean;
  /** Whose figures these are where others than the engine's own are among them: of all runs, the reason of the first. */
  readonly substitution: Substitution | null;
  readonly runs: readonly ReplayReport[];
}

/** Replays every file once with each engine; engines are asked for before anything runs. @throws as {@link replayTranscript}; ENGINE_UNKNOWN under `on_engine_failure: fail`. */
export async function compareEngines(runtime: HostRuntime, ask: CompareAsk): Promise<readonly Compared[]> {
  for (const engine of ask.engines) requireEngineName(engine);
  for (const engine of ask.engines) await runtime.resolution(engine);
  const compared: Compared[] = [];
  for (const engine of ask.engines) {
    const runs: ReplayReport[] = [];
    for (const file of ask.files) {
      const seen = ask.onProgress;
      const replay: ReplayAsk = {
        file,
        engine,
        window: ask.window,
        ...(seen === undefined
          ? {}
          : {
              onProgress: ({ requests }) => {
                seen({ file, engine, requests });
              },
            }),
      };
      runs.push(...(await replayTranscript(runtime, replay)));
    }
    compared.push(summedUp(engine, runs));
  }
  return compared;
}

/** Pure. */
export function summedUp(engine: string, runs: readonly ReplayReport[]): Compared {
  const sum = (key: keyof Compared['totals']): number => runs.reduce((total, run) => total + run.totals[key], 0);
  const totals = {
    requests: sum('requests'),
    inputTokens: sum('inputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    outputTokens: sum('outputTokens'),
    reductions: sum('reductions'),
    compactions: sum('compactions'),
    hostCompactions: sum('hostCompactions'),
    peakInputTokens: Math.max(0, ...runs.map((run) => run.totals.peakInputTokens)),
    exhausted: sum('exhausted'),
    engineMs: sum('engineMs'),
  };
  const isSound = runs.every(
    ({ invariants, totals: one }) =>
      !Object.values(invariants).includes(false) && one.overBudgetRequests === 0 && one.invalidRequests === 0,
  );
  return {
    engine,
    sessions: runs.length,
    totals,
    cachedShare: totals.inputTokens === 0 ? 0 : totals.cacheReadTokens / totals.inputTokens,
    isSound,
    substitution: substitutionOf(runs),
    runs,
  };
}

function substitutionOf(runs: readonly ReplayReport[]): Substitution | null {
  const all = runs.flatMap(({ engine }) => engine.substitution ?? []);
  const [first] = all;
  return first === undefined ? null : { ...first, requests: all.reduce((sum, { requests }) => sum + requests, 0) };
}
