import { errors } from '@palimpsest/contracts';
import { compareEngines, type Compared } from '@palimpsest/runtime';
import { requireEngineName } from '@palimpsest/runtime/authoring';
import { tokensOf } from '../numbers.ts';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { counted, json, line, number, share, table, warn } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import { nothingFitted, standsIn } from './replay.ts';

export interface CompareOptions extends CommonOptions {
  readonly engines: string;
  readonly window: string;
}

export async function compare(files: readonly string[], options: CompareOptions): Promise<void> {
  const window = tokensOf('--window', options.window);
  const engines = [
    ...new Set(
      options.engines
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ];
  if (engines.length === 0) throw errors.usageInvalid('--engines names no engine', 'For example --engines compressor,sliding.');
  for (const engine of engines) requireEngineName(engine);
  await withRuntime(options, async (runtime) => {
    const progress = new Progress();
    const compared = await compareEngines(runtime, {
      files,
      engines,
      window,
      onProgress: ({ file, engine, requests }) => {
        progress.show(`${engine} · ${counted(requests, 'request')} · ${file}`);
      },
    }).finally(() => {
      progress.end();
    });
    if (options.json === true) json(compared);
    else show(compared, window);
    if (compared.some(({ isSound, totals }) => !isSound || nothingFitted(totals))) process.exitCode = 1;
  });
}

function show(compared: readonly Compared[], window: number): void {
  line(`${counted(compared[0]?.sessions ?? 0, 'session')} on a window of ${number(window)} tokens`);
  table(
    compared.map(({ engine, totals, substitution }) => [
      substitution === null ? engine : `${engine} (${substitution.by})`,
      totals.requests,
      totals.inputTokens,
      share(totals.cacheReadTokens, totals.inputTokens),
      totals.reductions,
      totals.compactions + totals.hostCompactions,
      totals.peakInputTokens,
    ]),
    ['engine', 'requests', 'tokens in', 'cached', 'reductions', 'compactions', 'peak'],
  );
  for (const { engine, isSound, totals, runs, substitution } of compared) {
    if (substitution !== null) warn(`${engine}: ${standsIn(substitution, totals.requests)}`);
    if (!isSound) warn(`${engine}: an invariant did not hold; palimpsest replay FILE --engine ${engine} says which`);
    if (totals.exhausted > 0)
      warn(`${engine}: ${nothingFitted(totals) ? 'nothing fitted' : `${counted(totals.exhausted, 'request')} could not be made to fit`}`);
    for (const notice of new Set(runs.flatMap(({ notices }) => notices))) warn(`${engine}: ${notice}`);
  }
}
