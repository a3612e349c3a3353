/**
 * The second pass: steps become items in their places. A message waits for its later parts and its recorded results,
 * which stand directly behind it; whatever was recorded in between moves behind them.
 */
import type { AssistantPart, Finish, Json, ToolOutput, ToolResultPart, Usage } from '@palimpsest/contracts';
import type { Counting, Disposition } from './counting.ts';
import type { Links } from './linking.ts';
import { DUPLICATE, ORPHAN } from './pairing.ts';
import type { AssistantStep, ResultStep, Step, UsageStep, UserStep } from './steps.ts';
import type { FormatName, TranscriptItem } from './transcript.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly call: number;
}
interface Batch {
  readonly line: number;
  readonly lastRecord: number;
  readonly parts: AssistantPart[];
  readonly calls: Call[];
  /** Calls that the provider ran itself: their results are parts of the message. */
  answered: number;
  records: number;
  usage: Usage | null;
  finish: Finish | null;
  empty: Json;
}
type Slot = { readonly batch: Batch } | { readonly item: TranscriptItem };

const NO_RESULT = 'No result was recorded for this call.';

export class Assembling {
  readonly #links: Links;
  readonly #counting: Counting;
  readonly #format: FormatName;
  readonly #queue: Slot[] = [];
  readonly #open = new Map<string, Batch>();
  readonly #results = new Map<number, { readonly line: number | null; readonly output: ToolOutput }>();
  #record = -1;
  /** The record that a message has counted already; one record may hold several messages. */
  #claimed = -1;
  #calls = 0;
  #answers = 0;

  constructor(links: Links, counting: Counting, format: FormatName) {
    this.#links = links;
    this.#counting = counting;
    this.#format = format;
  }

  /** Takes the next record's steps; `line` is where it stands. */
  take(line: number, steps: readonly Step[]): void {
    this.#record++;
    let disposition: Disposition | null = 'meta';
    for (const step of steps) disposition = stronger(disposition, this.#step(line, step));
    if (disposition !== null) this.#counting.add(disposition);
  }

  /** Items that nothing can precede any more. */
  *ready(): Generator<TranscriptItem> {
    for (let slot = this.#queue[0]; slot !== undefined; slot = this.#queue[0]) {
      if ('batch' in slot && !this.#complete(slot.batch)) return;
      this.#queue.shift();
      if ('item' in slot) yield slot.item;
      else yield* this.#close(slot.batch);
    }
  }

  /** Null: an assistant record's disposition is known when its message is complete. */
  #step(line: number, step: Step): Disposition | null {
    switch (step.do) {
      case 'user':
        return this.#user(line, step);
      case 'assistant':
        return this.#assistant(line, step);
      case 'result':
        return this.#result(line, step);
      case 'hidden':
        this.#counting.hiddenBody(step.body);
        if (step.reduction === true) this.#counting.add('reductions');
        this.#queue.push({ item: { kind: 'hidden', line, body: step.body } });
        return 'hidden';
      case 'facts':
        return step.read === true ? 'read' : 'meta';
      case 'skip':
        this.#counting.skipped(line, step.reason, step.detail);
        return 'skippedRecords';
      case 'note':
        this.#counting.note(line, step.reason);
        return 'meta';
      case 'reserve':
        this.#begin(line, step.key, null);
        return 'meta';
      case 'usage':
        this.#usage(step);
        return 'meta';
    }
  }

  #user(line: number, step: UserStep): Disposition {
    this.#counting.user(step.origin, step.by);
    this.#counting.add('images', step.images);
    const message = { role: 'user' as const, content: step.content };
    this.#queue.push({ item: { kind: 'user', line: step.line ?? line, origin: step.origin, message } });
    return step.elsewhere === true ? 'meta' : 'read';
  }

  #assistant(line: number, step: AssistantStep): null {
    const batch = (step.key === null ? undefined : this.#open.get(step.key)) ?? this.#begin(line, step.key, step.empty);
    if (this.#claimed !== this.#record) batch.records++;
    this.#claimed = this.#record;
    batch.parts.push(...step.parts);
    batch.usage = step.usage ?? batch.usage;
    batch.finish = step.finish ?? batch.finish;
    for (const part of step.parts) {
      if (part.type !== 'tool-call') continue;
      if (part.providerExecuted === true) batch.answered++;
      else batch.calls.push({ id: part.toolCallId, name: part.toolName, call: this.#calls++ });
    }
    this.#counting.add('images', step.images ?? 0);
    this.#counting.add('thinking', step.thinking);
    this.#counting.add('thinkingSigned', step.signed);
    this.#release(step.key, batch);
    return null;
  }

  #release(key: string | null, batch: Batch): void {
    if (key !== null && this.#record >= batch.lastRecord) this.#open.delete(key);
  }

  /** Tokens of a message that is still open; of no message at all they count by themselves. */
  #usage({ key, usage }: UsageStep): void {
    const batch = key === null ? undefined : this.#open.get(key);
    if (batch === undefined) this.#counting.usage(usage);
    else batch.usage = usage;
    if (batch !== undefined) this.#release(key, batch);
  }

  #begin(line: number, key: string | null, empty: Json): Batch {
    const lastRecord = (key === null ? undefined : this.#links.lastRecord.get(key)) ?? this.#record;
    const batch: Batch = { line, lastRecord, parts: [], calls: [], answered: 0, records: 0, usage: null, finish: null, empty };
    if (key !== null) this.#open.set(key, batch);
    this.#queue.push({ batch });
    return batch;
  }

  #result(line: number, step: ResultStep): Disposition {
    const call = this.#links.answers[this.#answers++] ?? ORPHAN;
    if (call < 0) {
      this.#counting.skipped(line, call === DUPLICATE ? 'duplicate-result' : 'result-without-call', step.callId);
      return 'skippedRecords';
    }
    this.#counting.add('images', step.images);
    this.#results.set(call, { line: step.made === true ? null : line, output: step.output });
    return 'read';
  }

  #complete(batch: Batch): boolean {
    return (
      batch.lastRecord <= this.#record && batch.calls.every(({ call }) => this.#links.answered[call] !== true || this.#results.has(call))
    );
  }

  *#close(batch: Batch): Generator<TranscriptItem> {
    const { line, parts, usage } = batch;
    if (parts.length === 0) {
      this.#counting.add('hidden', batch.records);
      this.#counting.add('assistantEmpty');
      yield { kind: 'hidden', line, body: { kind: 'custom', by: this.#format, key: 'empty-reply', data: batch.empty, shown: null } };
      return;
    }
    this.#counting.add('read', batch.records);
    this.#counting.add('assistant');
    this.#counting.add('toolCalls', batch.calls.length + batch.answered);
    this.#counting.add('toolResults', batch.answered);
    if (usage !== null) this.#counting.usage(usage);
    const finish = batch.calls.length > 0 && (batch.finish ?? 'stop') === 'stop' ? 'tool-calls' : (batch.finish ?? 'stop');
    yield { kind: 'assistant', line, message: { role: 'assistant', content: parts }, usage, finish };
    for (const call of batch.calls) yield this.#answer(call);
  }

  #answer({ id, name, call }: Call): TranscriptItem {
    const found = this.#results.get(call);
    this.#results.delete(call);
    const line = found?.line ?? null;
    this.#counting.add(line === null ? 'callsWithoutResult' : 'toolResults');
    const output: ToolOutput = found?.output ?? { type: 'error-text', value: NO_RESULT };
    const part: ToolResultPart = { type: 'tool-result', toolCallId: id, toolName: name, output };
    return { kind: 'result', line, part, made: line === null };
  }
}

/** A record that does several things counts as the most visible of them. */
const rank: readonly (Disposition | null)[] = ['meta', 'skippedRecords', 'hidden', 'read', null];
const stronger = (one: Disposition | null, other: Disposition | null): Disposition | null =>
  rank.indexOf(other) > rank.indexOf(one) ? other : one;
