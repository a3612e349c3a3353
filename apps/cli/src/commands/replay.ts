import { errors } from '@palimpsest/contracts';
import { formatNames, replayTranscript, type FormatName, type HostRuntime, type ReplayAsk, type ReplayReport, type Substitution } from '@palimpsest/runtime';
import { withRuntime, type CommonOptions } from '../open-runtime.ts';
import { counted, json, line, number, share, table, warn, wholeNumber } from '../output/print.ts';
import { Progress } from '../output/progress.ts';

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
  const window = wholeNumber(options.window);
  if (window === null) throw errors.usageInvalid(`--window ${options.window}: not a number of tokens`);
  await withRuntime(options, async (runtime) => {
    const reports = await watched(runtime, { file: transcript, window, ...asked(options) });
    if (options.json === true) json(reports.length === 1 ? reports[0] : reports);
    else for (const report of reports) show(report);
    if (reports.some(broken)) process.exitCode = 1;
  });
}

function asked(options: ReplayOptions): Partial<ReplayAsk> {
  const { engine, format, tree, wire, dumpRequests, probes } = options;
  return {
    ...(engine === undefined ? {} : { engine }), ...(format === undefined ? {} : { format: formatFrom(format) }), ...(tree === undefined ? {} : { tree }),
    ...(wire === undefined ? {} : { wire }), ...(dumpRequests === undefined ? {} : { dumpDir: dumpRequests }), ...(probes === undefined ? {} : { probesFile: probes }),
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
      ...ask, onProgress: ({ session, sessions, requests, tokens }) => { progress.show(`session ${String(session)}/${String(sessions)} · ${number(requests)} requests · ${number(tokens)} tokens in the log`); },
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

/** The report as a table a person reads. */
export function show(report: ReplayReport): void {
  const { transcript, totals, invariants } = report;
  line(`${transcript.format}: ${number(transcript.records)} records, ${number(transcript.userInput)} user inputs, ${number(transcript.assistant)} replies, ${number(transcript.toolCalls)} tool calls, ${number(transcript.tokens)} tokens`);
  const held = Object.entries(invariants).filter(([, holds]) => holds).map(([name]) => name);
  const lost = Object.entries(invariants).filter(([, holds]) => !holds).map(([name]) => name);
  table([
    ['engine', `${report.engine.name} ${report.engine.version} (${report.engine.resolvedFrom})`],
    ['window', number(report.window)],
    ['requests', number(totals.requests)],
    ['tokens in', number(totals.inputTokens)],
    ['cached share', share(totals.cacheReadTokens, totals.inputTokens)],
    ['reductions', number(totals.reductions)],
    ['compactions', `${number(totals.compactions)} by the engine, ${number(totals.hostCompactions)} by the host`],
    ['peak / effective budget', `${number(totals.peakInputTokens)} / ${number(report.effectiveTokens)}`],
    ['over budget, invalid, exhausted', `${number(totals.overBudgetRequests)}, ${number(totals.invalidRequests)}, ${number(totals.exhausted)}`],
    ['invariants', lost.length === 0 ? `all hold (${held.join(', ')})` : `BROKEN: ${lost.join(', ')}`],
    ['session', report.session],
  ], ['', '']);
  skippedLine(report);
  const { substitution } = report.engine;
  if (totals.exhausted > 0) warn(nothingFitted(totals) ? 'nothing fitted: no request could be sent' : `${counted(totals.exhausted, 'request')} could not be made to fit`);
  if (substitution !== null) warn(standsIn(substitution, totals.requests));
  for (const notice of report.notices) warn(notice);
}

/** Whose figures they are; the notices say why. */
export function standsIn({ asked, by, requests }: Substitution, all: number): string {
  return `these are the figures of ${by}, which stood in for "${asked}" in ${requests >= all ? 'all' : `${number(requests)} of ${number(all)}`} requests`;
}

function skippedLine({ transcript }: ReplayReport): void {
  const reasons = new Map<string, number>();
  for (const { reason } of transcript.skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (reasons.size > 0) line(`skipped: ${[...reasons].map(([reason, count]) => `${number(count)} ${reason}`).join(', ')} (all with line numbers in --json)`);
}
