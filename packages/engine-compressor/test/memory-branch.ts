/** A path in memory with the reader that engines are given. Counts what is read. */
import {
  entryId,
  isSilent,
  sessionId,
  type AssistantMessage,
  type Body,
  type BranchReader,
  type CompactionBody,
  type CompactionDraft,
  type Entry,
  type EntryId,
  type Json,
  type Message,
  type Origin,
  type Placed,
  type Segment,
  type Shape,
  type ToolOutput,
} from '@palimpsest/contracts';

export const countTokens = (text: string): number => Math.ceil(text.length / 4);
export const SESSION = sessionId.parse('test');

export interface CallSpec {
  readonly name?: string;
  readonly input?: Json;
  readonly output?: ToolOutput | string | null;
  readonly id?: string;
}

/** Builds one path, oldest entry first. Every method returns the id of the entry it added. */
export class MemoryBranch {
  readonly entries: Entry[] = [];
  #calls = 0;

  user(text: string, origin: Origin = 'user_input'): EntryId {
    return this.message({ role: 'user', content: [{ type: 'text', text }] }, origin);
  }

  reply(text: string): EntryId {
    return this.message({ role: 'assistant', content: [{ type: 'text', text }] }, 'model');
  }

  /** An assistant message with calls, and one tool message per call that has an output. */
  tools(specs: readonly CallSpec[], text = ''): EntryId {
    const calls = specs.map((spec) => ({
      id: spec.id ?? `call${String((this.#calls += 1))}`,
      name: spec.name ?? 'read',
      input: spec.input ?? {},
      output: spec.output === undefined ? 'ok' : spec.output,
    }));
    const content: AssistantMessage['content'] = [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input })),
    ];
    const asked = this.message({ role: 'assistant', content }, 'model');
    for (const { id, name, output } of calls) if (output !== null) this.result(id, output, name);
    return asked;
  }

  result(toolCallId: string, output: ToolOutput | string, toolName = 'read'): EntryId {
    const value: ToolOutput = typeof output === 'string' ? { type: 'text', value: output } : output;
    return this.message({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: value }] }, 'tool');
  }

  message(message: Message, origin: Origin, tokens = tokensOf(message)): EntryId {
    return this.add({ kind: 'message', origin, message }, tokens);
  }

  silent(): EntryId {
    return this.add({ kind: 'label', target: entryId.parse('e1'), label: 'a label' }, 0);
  }

  /** Puts what an engine proposed in force, as the host would. */
  commit(draft: CompactionDraft, by = 'compressor'): EntryId {
    const body: CompactionBody = {
      kind: 'compaction',
      by,
      trigger: 'threshold',
      segments: draft.segments,
      tokensBefore: 0,
      tokensAfter: 0,
      ...(draft.details === undefined ? {} : { details: draft.details }),
    };
    return this.add(body, 0);
  }

  add(body: Body, tokens: number): EntryId {
    const seq = this.entries.length + 1;
    const id = entryId.parse(`e${String(seq)}`);
    const parent = this.entries.at(-1)?.id ?? null;
    this.entries.push({
      id,
      parent,
      session: SESSION,
      seq,
      depth: seq - 1,
      time: '2026-01-01T00:00:00.000Z',
      turn: null,
      tokens,
      ...body,
    });
    return id;
  }

  reader(): MemoryReader {
    return new MemoryReader(placedOf(this.entries), activeOf(this.entries));
  }

  newestUserEntry(): EntryId | null {
    return this.entries.findLast((entry) => entry.kind === 'message' && entry.origin === 'user_input')?.id ?? null;
  }
}

export class MemoryReader implements BranchReader {
  readonly first: EntryId;
  readonly last: EntryId;
  readonly shownTokens: number;
  readonly placed: readonly Placed[];
  readonly compaction: Entry<CompactionBody> | null;
  /** Ids that were handed out, in order. */
  readonly read: EntryId[] = [];

  constructor(placed: readonly Placed[], compaction: Entry<CompactionBody> | null) {
    const [first, last] = [placed[0], placed.at(-1)];
    if (first === undefined || last === undefined) throw new RangeError('an empty path has no reader');
    this.placed = placed;
    this.first = first.entry.id;
    this.last = last.entry.id;
    this.compaction = compaction;
    this.shownTokens = shownTokensUnder(placed, compaction?.segments ?? []);
  }

  async *newestFirst(from?: EntryId): AsyncIterable<Placed> {
    const start = from === undefined ? this.placed.length - 1 : this.placed.findIndex(({ entry }) => entry.id === from);
    for (const placed of this.placed.slice(0, start + 1).reverse()) yield this.#hand(placed);
  }

  async *oldestFirst(after: EntryId | null): AsyncIterable<Placed> {
    const start = after === null ? 0 : this.placed.findIndex(({ entry }) => entry.id === after) + 1;
    for (const placed of this.placed.slice(start)) yield this.#hand(placed);
  }

  get(id: EntryId): Promise<Placed | null> {
    return Promise.resolve(this.placed.find(({ entry }) => entry.id === id) ?? null);
  }

  #hand(placed: Placed): Placed {
    this.read.push(placed.entry.id);
    return placed;
  }
}

/** What a path costs when these segments are in force: the figure that the host would measure. */
export function shownTokensUnder(placed: readonly Placed[], segments: readonly Segment[]): number {
  return stretches(placed, segments).reduce((total, { segment, inside }) => {
    if (segment.show === 'nothing') return total;
    return (
      total +
      (segment.show === 'summary' ? segment.tokens : inside.reduce((sum, one) => sum + (isSilent(one.entry) ? 0 : one.entry.tokens), 0))
    );
  }, 0);
}

/** Each segment with its entries; what follows the last one is shown. */
export function stretches(
  placed: readonly Placed[],
  segments: readonly Segment[],
): readonly { readonly segment: Segment; readonly inside: readonly Placed[] }[] {
  const last = placed.at(-1);
  const all: readonly Segment[] =
    last === undefined || segments.at(-1)?.through === last.entry.id
      ? segments
      : [...segments, { through: last.entry.id, show: 'entries' }];
  let from = 0;
  return all.map((segment) => {
    const end = placed.findIndex(({ entry }) => entry.id === segment.through) + 1;
    if (end <= from) throw new RangeError(`segments are out of order at ${segment.through}`);
    const inside = placed.slice(from, end);
    from = end;
    return { segment, inside };
  });
}

function activeOf(entries: readonly Entry[]): Entry<CompactionBody> | null {
  return entries.findLast((entry): entry is Entry<CompactionBody> => entry.kind === 'compaction') ?? null;
}

function placedOf(entries: readonly Entry[]): readonly Placed[] {
  const active = activeOf(entries);
  const groups = groupsOf(entries);
  const plain = entries.map((entry): Placed => ({
    entry,
    group: groups.get(entry.id) ?? entry.id,
    shape: { kind: isSilent(entry) ? 'silent' : 'whole' },
    shownTokens: isSilent(entry) ? 0 : entry.tokens,
  }));
  return stretches(plain, active?.segments ?? []).flatMap(({ segment, inside }) =>
    active === null || segment.show === 'entries'
      ? inside
      : inside.map((placed) => covered(placed, { kind: 'covered', by: active.id, segment: segment.show === 'summary' ? segment : null })),
  );
}

function covered(placed: Placed, shape: Shape): Placed {
  return placed.shape.kind === 'silent' ? placed : { ...placed, shape, shownTokens: 0 };
}

/** A result belongs to the newest message before it that made a call with its id. */
function groupsOf(entries: readonly Entry[]): ReadonlyMap<EntryId, EntryId> {
  const asked = new Map<string, EntryId>();
  const groups = new Map<EntryId, EntryId>();
  for (const entry of entries) {
    if (entry.kind !== 'message') continue;
    if (entry.message.role === 'assistant')
      for (const part of entry.message.content) if (part.type === 'tool-call') asked.set(part.toolCallId, entry.id);
    if (entry.message.role === 'tool') groups.set(entry.id, asked.get(entry.message.content[0]?.toolCallId ?? '') ?? entry.id);
  }
  return groups;
}

function tokensOf(message: Message): number {
  return countTokens(message.content.map((part) => ('text' in part ? part.text : JSON.stringify(part))).join(''));
}
