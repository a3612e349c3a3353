import { contextOf, type ContextReport } from '@palimpsest/runtime';
import { tokensOf } from '../numbers.ts';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { bar, json, line, number, prose, share } from '../output/print.ts';

export interface ContextOptions extends CommonOptions {
  readonly window?: string;
}

/** How the parts of a judgement are called for people, in the order of the request. */
const NAMES: Readonly<Record<string, string>> = {
  system: 'system',
  tools: 'tools',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool results',
  summary: 'summaries',
  note: 'notes',
  hooks: 'hooks',
  request: 'request',
  envelope: 'envelope',
};

export async function context(session: string, options: ContextOptions): Promise<void> {
  const window = options.window === undefined ? undefined : tokensOf('--window', options.window);
  await withRuntime(options, async (runtime) => {
    const report = await contextOf(runtime, { session, ...(window === undefined ? {} : { window }) });
    if (options.json === true) json(report);
    else show(report);
  });
}

function show(report: ContextReport): void {
  const { window, tokens, effectiveTokens, marks } = report;
  prose(`${report.session}: ${number(tokens)} of ${number(effectiveTokens)} tokens that may be sent (${report.mark})`);
  prose(`${report.engine} · ${report.route} · window ${number(window.tokens)} (${window.origin})`);
  line();
  for (const [name, size] of rowsOf(report))
    line(`${name.padEnd(12)} ${bar(size / window.tokens, 34)} ${number(size).padStart(10)} ${share(size, window.tokens).padStart(8)}`);
  line();
  prose(`Room is made from ${number(marks.start)} tokens on (at the latest ${number(marks.hard)}), down to ${number(marks.low)}.`);
  if (report.mark === 'over') prose('This is more than fits: the next turn makes room first, or says what cannot shrink.');
}

function rowsOf({ parts, freeTokens, reserveTokens, unusableTokens }: ContextReport): readonly (readonly [string, number])[] {
  const order = Object.keys(NAMES);
  const known = parts
    .toSorted((one, other) => order.indexOf(one.what) - order.indexOf(other.what))
    .map(({ what, tokens }): readonly [string, number] => [NAMES[what] ?? what, tokens]);
  return [
    ...known,
    ['free', freeTokens],
    ['reserve', reserveTokens],
    ...(unusableTokens > 0 ? [['above cap', unusableTokens] as const] : []),
  ];
}
