import { errors } from '@palimpsest/contracts';
import { checkConfig, modelsReport, type ModelReport } from '@palimpsest/runtime';
import type { CommonOptions } from '../open-runtime.ts';
import { json, line, number, prose, strong, styledLine, table, wholeNumber } from '../output/print.ts';

export interface ModelsOptions extends CommonOptions {
  readonly window?: string;
  readonly reserve?: string;
  readonly threshold?: string;
}

export async function models(options: ModelsOptions): Promise<void> {
  const [window, reserve] = [tokensOf('--window', options.window), tokensOf('--reserve', options.reserve)];
  const threshold = shareOf(options.threshold);
  const ask = { ...(window === null ? {} : { window }), ...(reserve === null ? {} : { reserve }), ...(threshold === null ? {} : { threshold }) };
  const reports = modelsReport(await checkConfig(options.config), ask);
  if (options.json === true) return json(reports);
  for (const [index, report] of reports.entries()) {
    if (index > 0) line();
    show(report);
  }
}

function show({ name, isChosen, route, window, reserve, effectiveTokens, marks, why }: ModelReport): void {
  styledLine(strong(name === null ? 'No model is configured; any would get this. Name one: palimpsest init' : `${name}${isChosen ? ' (used)' : ''}: ${route}`));
  table(
    [
      ['window', window.tokens, window.origin], ['reserve', reserve.tokens, reserve.origin], ['effective', effectiveTokens, 'no request is larger'], ['low', marks.low, 'making room stops below'],
      ['prepare', marks.prepare, 'may be prepared'], ['start', marks.start, 'room is made'], ['hard', marks.hard, 'can no longer wait'],
    ],
    ['', 'tokens', ''],
  );
  for (const note of why) prose(`  ${note.what}: ${note.why}`, '    ');
  prose(`  between compactions: about ${number(Math.max(0, marks.start - marks.low))} tokens`);
}

function tokensOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const tokens = wholeNumber(text);
  if (tokens === null) throw errors.usageInvalid(`${option} ${text}: not a number of tokens`, `Write a whole number, for example ${option} 32000.`);
  return tokens;
}

function shareOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const share = Number(text);
  if (text.trim() === '' || !(share > 0 && share <= 1)) throw errors.usageInvalid(`--threshold ${text}: not a share`, 'Write a number above 0 and up to 1, for example --threshold 0.6.');
  return share;
}
