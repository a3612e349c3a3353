import { errors } from '@palimpsest/contracts';
import {
  formatNames,
  replayTranscript,
  type Dumped,
  type FormatName,
  type HostRuntime,
  type ReplayAsk,
  type ReplayReport,
  type Substitution,
} from '@palimpsest/runtime';
import { requireEngineName } from '@palimpsest/runtime/authoring';
import { tokensOf } from '../numbers.ts';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { counted, facts, json, number, prose, share, warn } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import { tellReading } from '../output/reading.ts';
import { withFile } from '../session-file.ts';

export interface ReplayOptions extends CommonOptions {
  readonly window: string;
  readonly engine?: string;
  readonly format?: string;
  readonly tree?: boolean;
  readonly wire?: NonNullable<ReplayAsk['wire']>;
  readonly dumpRequests?: string;
  readonly probes?: string;
}

export async function replay(transcript: string, options: ReplayOptions): Promise<void> {
  const window = tokensOf('--window', options.window);
  if (options.engine !== undefined) requireEngineName(options.engine);
  await withFile(transcript, (file) =>
    withRuntime(options, async (runtime) => {
      const reports = await watched(runtime, { file, window, ...asked(options) });
      if (options.json === true) json(reports.length === 1 ? reports[0] : reports);
      else show(reports);
      if (reports.some(broken)) process.exitCode = 1;
    }),
  );
}

function asked(options: ReplayOptions): Partial<ReplayAsk> {
  const { engine, format, tree, wire, dumpRequests, probes } = options;
  return {
    ...(engine === undefined ? {} : { engine }),
    ...(format === undefined ? {} : { format: formatFrom(format) }),
    ...(tree === undefined ? {} : { tree }),
    ...(wire === undefined ? {} : { wire }),
    ...(dumpRequests === undefined ? {} : { dumpDir: dumpRequests }),
    ...(probes === undefined ? {} : { probesFile: probes }),
  };
}

export function formatFrom(name: string): FormatName {
  const known = formatNames.find((format) => format === name);
  if (known === undefined) throw errors.usageInvalid(`--format ${name}: unknown`, `Known: ${formatNames.join(', ')}`);
  return known;
}

export async function watched(runtime: HostRuntime, ask: ReplayAsk): Promise<readonly ReplayReport[]> {
  const progress = new Progress();
  try {
    return await replayTranscript(runtime, {
      ...ask,
      onProgress: ({ session, sessions, requests, tokens }) => {
        progress.show(
          `session ${String(session)}/${String(sessions)} · ${counted(requests, 'request')} · ${counted(tokens, 'token')} in the log`,
        );
      },
    });
  } finally {
    progress.end();
  }
}

function broken({ invariants, totals }: ReplayReport): boolean {
  return Object.values(invariants).includes(false) || totals.overBudgetRequests > 0 || totals.invalidRequests > 0 || nothingFitted(totals);
}

/** No request could be made: every invariant holds of nothing. */
export function nothingFitted({ requests, exhausted }: Pick<ReplayReport['totals'], 'requests' | 'exhausted'>): boolean {
  return requests === 0 && exhausted > 0;
}

/** What a person reads: of one session, or of all sessions of a file together. */
export function show(reports: readonly ReplayReport[]): void {
  const [first] = reports;
  if (first === undefined) return;
  const totals = summedUp(reports);
  prose(transcriptLine(reports));
  facts([
    ['engine', `${first.engine.name} ${first.engine.version} (${first.engine.resolvedFrom})`],
    ['window', number(first.window)],
    ['requests', number(totals.requests)],
    ['tokens in', number(totals.inputTokens)],
    ['cached share', share(totals.cacheReadTokens, totals.inputTokens)],
    ['reductions', number(totals.reductions)],
    ['compactions', `${number(totals.compactions)} by the engine, ${number(totals.hostCompactions)} by the host`],
    ...refusedLine(reports),
    ['peak / effective budget', `${number(totals.peakInputTokens)} / ${number(first.effectiveTokens)}`],
    [
      'over budget, invalid, exhausted',
      `${number(totals.overBudgetRequests)}, ${number(totals.invalidRequests)}, ${number(totals.exhausted)}`,
    ],
    ['invariants', invariantsLine(reports)],
    ...(first.dumped === undefined ? [] : [['requests dumped', dumpedLine(first.dumped)] as const]),
    ...(reports.length === 1
      ? [['session', first.session] as const]
      : [
          [
            'sessions',
            `${number(reports.length)}: ${first.session} to ${reports.at(-1)?.session ?? ''}; the figures of each: --json`,
          ] as const,
        ]),
  ]);
  tellReading(reports.map(({ transcript }) => transcript));
  if (totals.exhausted > 0)
    warn(
      nothingFitted(totals)
        ? 'nothing fitted: no request could be sent'
        : `${counted(totals.exhausted, 'request')} could not be made to fit`,
    );
  for (const { engine, session, totals: one } of reports)
    if (engine.substitution !== null) warn(`${reports.length === 1 ? '' : `${session}: `}${standsIn(engine.substitution, one.requests)}`);
  for (const notice of new Set(reports.flatMap(({ notices }) => notices))) warn(notice);
}

/** The largest peak, the sum of everything else. */
export function summedUp(reports: readonly ReplayReport[]): Omit<ReplayReport['totals'], 'costUsd'> {
  const sum = (key: Exclude<keyof ReplayReport['totals'], 'costUsd'>): number => reports.reduce((all, { totals }) => all + totals[key], 0);
  return {
    requests: sum('requests'),
    inputTokens: sum('inputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    outputTokens: sum('outputTokens'),
    reductions: sum('reductions'),
    compactions: sum('compactions'),
    hostCompactions: sum('hostCompactions'),
    peakInputTokens: Math.max(0, ...reports.map(({ totals }) => totals.peakInputTokens)),
    overBudgetRequests: sum('overBudgetRequests'),
    invalidRequests: sum('invalidRequests'),
    exhausted: sum('exhausted'),
    engineMs: sum('engineMs'),
  };
}

function refusedLine(reports: readonly ReplayReport[]): readonly (readonly [string, string])[] {
  const refusals = reports.flatMap((report) => report.refusals);
  const times = refusals.reduce((sum, one) => sum + one.times, 0);
  return times === 0 ? [] : [['room refused', `${counted(times, 'time')}; the first: ${refusals[0]?.what ?? ''}`]];
}

function dumpedLine({ folder, requests, removed }: Dumped): string {
  return `${number(requests)} to ${folder}${removed === 0 ? '' : `; ${counted(removed, 'request')} of an earlier run removed there`}`;
}

function transcriptLine(reports: readonly ReplayReport[]): string {
  const sum = (key: 'records' | 'userInput' | 'assistant' | 'toolCalls' | 'tokens'): number =>
    reports.reduce((all, { transcript }) => all + transcript[key], 0);
  const figures = [
    counted(sum('records'), 'record'),
    counted(sum('userInput'), 'user input'),
    counted(sum('assistant'), 'reply', 'replies'),
    counted(sum('toolCalls'), 'tool call'),
    counted(sum('tokens'), 'token'),
  ];
  return `${reports[0]?.transcript.format ?? ''}: ${reports.length === 1 ? '' : `${counted(reports.length, 'session')}, `}${figures.join(', ')}`;
}

function invariantsLine(reports: readonly ReplayReport[]): string {
  const names = Object.keys(reports[0]?.invariants ?? {}) as (keyof ReplayReport['invariants'])[];
  const lost = reports.flatMap(({ session, invariants }) =>
    names.filter((name) => !invariants[name]).map((name) => (reports.length === 1 ? name : `${name} of ${session}`)),
  );
  return lost.length === 0 ? `all hold (${names.join(', ')})` : `BROKEN: ${lost.join(', ')}`;
}

/** Whose figures they are; the notices say why. */
export function standsIn({ asked, by, requests }: Substitution, all: number): string {
  return `these are the figures of ${by}, which stood in for "${asked}" in ${requests >= all ? 'all' : `${number(requests)} of ${number(all)}`} requests`;
}
