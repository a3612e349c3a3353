/** Counts of a session, kept while items pass by: records by what became of them, messages by whose words they are, calls and results apart. */
import type { Body, Usage } from '@palimpsest/contracts';
import type { FormatName, InputKind, Noted, Place, Skipped, SkipReason, TranscriptReport, UserOrigin } from './transcript.ts';

export type Disposition = 'read' | 'hidden' | 'meta' | 'skippedRecords';
type Counted = Exclude<keyof TranscriptReport, 'format' | 'records' | 'messages' | 'usage' | 'kinds' | 'skipped' | 'notes' | 'userInputBy'>;

const zeros = (): Record<Counted, number> => ({
  read: 0,
  hidden: 0,
  meta: 0,
  skippedRecords: 0,
  userInput: 0,
  notice: 0,
  observation: 0,
  handoff: 0,
  continuation: 0,
  assistant: 0,
  assistantHidden: 0,
  assistantEmpty: 0,
  toolCalls: 0,
  toolResults: 0,
  callsWithoutResult: 0,
  resultsWithoutCall: 0,
  thinking: 0,
  thinkingSigned: 0,
  images: 0,
  compactions: 0,
  reductions: 0,
});
const counterOf = {
  user_input: 'userInput',
  continuation: 'continuation',
  notice: 'notice',
  observation: 'observation',
  handoff: 'handoff',
} as const;

export class Counting {
  readonly #counts = zeros();
  readonly #usage = { calls: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  readonly #by = new Map<InputKind, number>();
  readonly #kinds = new Map<string, number>();
  readonly #skipped: Skipped[] = [];
  readonly #notes: Noted[] = [];
  readonly #format: FormatName;
  readonly #position: 'line' | 'index';

  constructor(format: FormatName, position: 'line' | 'index') {
    this.#format = format;
    this.#position = position;
  }

  add(what: Counted, count = 1): void {
    this.#counts[what] += count;
  }
  kind(name: string): void {
    this.#kinds.set(name, (this.#kinds.get(name) ?? 0) + 1);
  }
  skipped(at: number, reason: SkipReason, detail?: string): void {
    this.#skipped.push({ ...this.#place(at), reason, ...(detail === undefined ? {} : { detail }) });
    if (reason === 'result-without-call') this.add('resultsWithoutCall');
  }
  note(at: number, reason: string): void {
    this.#notes.push({ ...this.#place(at), reason });
  }
  user(origin: UserOrigin | 'handoff', by: InputKind | undefined): void {
    this.add(counterOf[origin]);
    if (origin === 'user_input') this.#by.set(by ?? 'typed', (this.#by.get(by ?? 'typed') ?? 0) + 1);
  }
  /** What an entry that is not shown still counts as. */
  hiddenBody(body: Body): void {
    if (body.kind === 'compaction') this.add('compactions');
    if (body.kind !== 'message') return;
    if (body.message.role === 'assistant') this.add('assistantHidden');
    else if (body.origin !== 'model' && body.origin !== 'tool') this.user(body.origin, undefined);
  }
  usage(usage: Usage): void {
    this.#usage.calls++;
    for (const key of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) this.#usage[key] += usage[key];
  }

  report(): TranscriptReport {
    const c = this.#counts;
    return {
      format: this.#format,
      records: c.read + c.hidden + c.meta + c.skippedRecords,
      ...c,
      userInputBy: Object.fromEntries(this.#by),
      messages: c.userInput + c.notice + c.observation + c.handoff + c.continuation + c.assistant + c.toolResults + c.callsWithoutResult,
      usage: { ...this.#usage },
      kinds: Object.fromEntries(this.#kinds),
      skipped: [...this.#skipped],
      notes: [...this.#notes],
    };
  }

  #place(at: number): Place {
    return this.#position === 'line' ? { line: at } : { index: at };
  }
}
