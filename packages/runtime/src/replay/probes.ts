import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { errors, messageOf } from '@palimpsest/contracts';
import type { EntryId, Message, Search, SessionId, View } from '@palimpsest/contracts';
import { z } from 'zod';
import type { ReplayReport } from './report.ts';

/** An exact string that a later call needs again. Positions are record indices from 0 in the session's file. */
const probe = z.looseObject({
  anchor: z.string().min(1),
  kind: z.string().optional(),
  needed_at: z.number().int(),
  last_seen_at: z.number().int(),
});
export type Probe = z.infer<typeof probe>;

const ANSWER_CHARACTERS = 4_000 * 4;

/** @throws USAGE_INVALID for a file that holds no probes. */
export async function readProbes(file: string): Promise<readonly Probe[]> {
  try {
    const bytes = await readFile(file);
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8');
    return z.array(probe).parse(JSON.parse(text));
  } catch (cause) {
    throw errors.usageInvalid(`--probes ${file}: ${problemOf(cause)}`, 'A JSON array of {anchor, needed_at, last_seen_at}.');
  }
}

/** The first thing that is wrong, with its place in the array. */
function problemOf(cause: unknown): string {
  const [issue] = cause instanceof z.ZodError ? cause.issues : [];
  return issue === undefined ? messageOf(cause) : `${z.core.toDotPath(issue.path)}${issue.path.length > 0 ? ': ' : ''}${issue.message}`;
}

/** Scores an engine: at each point where an anchor is needed again, is it in the view, or would a search bring it back? */
export class ProbeScore {
  #verbatim = 0;
  #folded = 0;
  #foldedKept = 0;
  #recoverable = 0;
  readonly #waiting: Probe[];
  readonly #entries = new Map<number, EntryId>();
  readonly #search: Search;
  readonly #session: SessionId;
  #last: View | null = null;

  /** @param offset what a position of the transcript (line from 1, or index from 0) is ahead of the probe's record index. */
  constructor(probes: readonly Probe[], search: Search, session: SessionId, offset: number) {
    this.#search = search;
    this.#session = session;
    this.#waiting = probes
      .map((one) => ({ ...one, needed_at: one.needed_at + offset, last_seen_at: one.last_seen_at + offset }))
      .sort((a, b) => a.needed_at - b.needed_at);
  }

  /** The record at this index became this entry. */
  stands(record: number, entry: EntryId): void {
    this.#entries.set(record, entry);
  }

  /** A request was made for the message that begins at this record. Probes of records before it belong to the request before. */
  async request(record: number, view: View): Promise<void> {
    await this.#due(record, this.#last);
    this.#last = view;
  }

  async end(): Promise<void> {
    await this.#due(Number.MAX_SAFE_INTEGER, this.#last);
  }

  result(): NonNullable<ReplayReport['probes']> {
    return {
      total: this.#verbatim + this.#folded,
      verbatim: this.#verbatim,
      folded: this.#folded,
      foldedKept: this.#foldedKept,
      recoverable: this.#recoverable,
    };
  }

  async #due(before: number, view: View | null): Promise<void> {
    while (this.#waiting[0] !== undefined && this.#waiting[0].needed_at < before) {
      const next = this.#waiting.shift();
      if (next !== undefined && view !== null) await this.#score(next, view);
    }
  }

  /** A message that was recorded in several records stands under its first. */
  #entryAt(record: number): EntryId | undefined {
    for (let at = record; at >= Math.max(0, record - 20); at -= 1) if (this.#entries.has(at)) return this.#entries.get(at);
    return undefined;
  }

  async #score({ anchor, last_seen_at: seen }: Probe, view: View): Promise<void> {
    const entry = this.#entryAt(seen);
    const whole = entry !== undefined && view.blocks.some((block) => block.origin === entry && block.shape === 'whole');
    if (whole) this.#verbatim += 1;
    else {
      this.#folded += 1;
      if (view.request.messages.some((message) => textOf(message).includes(anchor))) this.#foldedKept += 1;
    }
    if (whole || (await this.#found(anchor))) this.#recoverable += 1;
  }

  async #found(anchor: string): Promise<boolean> {
    const hits = await this.#search.query({ text: queryFor(anchor), session: this.#session, limit: 40 });
    return hits
      .map(({ snippet }) => snippet)
      .join('\n')
      .slice(0, ANSWER_CHARACTERS)
      .includes(anchor);
  }
}

/** The fixed rule: a hash is asked for by its first 8 characters, anything else by the words of its last path segment. */
export function queryFor(anchor: string): string {
  if (/^[0-9a-f]{12,}$/iu.test(anchor)) return anchor.slice(0, 8);
  const segment = anchor.split('/').findLast((part) => part !== '') ?? anchor;
  return segment
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
}

function textOf(message: Message): string {
  return message.content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'tool-call'
          ? JSON.stringify(part.input)
          : part.type === 'tool-result'
            ? resultText(part.output.value)
            : '',
    )
    .join('\n');
}

function resultText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
