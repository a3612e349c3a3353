import { checkConfig, modelsReport, type ModelReport, type ModelsAsk } from '@palimpsest/runtime';
import { shareOf, tokensOf } from '../numbers.ts';
import type { CommonOptions } from '../open-runtime.ts';
import { json, line, number, prose, strong, styledLine, table } from '../output/print.ts';

export interface ModelsOptions extends CommonOptions {
  readonly window?: string;
  readonly reserve?: string;
  readonly threshold?: string;
}

export async function models(options: ModelsOptions): Promise<void> {
  const ask = asked(options);
  const reports = modelsReport(await checkConfig(options.config), ask);
  if (options.json === true) return json(reports);
  for (const [index, report] of reports.entries()) {
    if (index > 0) line();
    show(report);
  }
}

function asked({ window, reserve, threshold }: ModelsOptions): ModelsAsk {
  return {
    ...(window === undefined ? {} : { window: tokensOf('--window', window) }),
    ...(reserve === undefined ? {} : { reserve: tokensOf('--reserve', reserve) }),
    ...(threshold === undefined ? {} : { threshold: shareOf('--threshold', threshold) }),
  };
}

function show({ name, isChosen, route, window, reserve, effectiveTokens, marks, why }: ModelReport): void {
  styledLine(
    strong(
      name === null
        ? 'No model is configured; any would get this. Name one: palimpsest init'
        : `${name}${isChosen ? ' (used)' : ''}: ${route}`,
    ),
  );
  table(
    [
      ['window', window.tokens, window.origin],
      ['reserve', reserve.tokens, reserve.origin],
      ['effective', effectiveTokens, 'no request is larger'],
      ['low', marks.low, 'making room stops below'],
      ['prepare', marks.prepare, 'may be prepared'],
      ['start', marks.start, 'room is made'],
      ['hard', marks.hard, 'can no longer wait'],
    ],
    ['', 'tokens', ''],
  );
  for (const note of why) prose(`  ${note.what}: ${note.why}`, '    ');
  prose(`  between compactions: about ${number(Math.max(0, marks.start - marks.low))} tokens`);
}
