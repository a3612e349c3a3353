import { errors, isSessionName, messageOf } from '@palimpsest/contracts/plain';
import type { Append, Clock, Draft, Entry, EntryId, Log, Page, SessionId, SessionRecord } from '@palimpsest/contracts';
import { assertLimit } from './bounds.ts';
import { KINDS } from './database/kinds.ts';
import { isoTime } from './iso-time.ts';
import type { Link } from './link.ts';
import type { DraftRow, EntryPage } from './worker/protocol.ts';

type Opened = Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>;
interface Ask {
  readonly session: SessionId;
  readonly leaf: EntryId;
  readonly page: Page;
}

export class SqliteLog implements Log {
  readonly #link: Link;
  readonly #clock: Clock;
  /** A page of a path never changes; only a dropped session takes it along. */
  #ahead: { readonly key: string; readonly page: Promise<EntryPage> } | null = null;

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  async open(session: Opened): Promise<SessionRecord> {
    return await this.#link.call('openSession', named(session));
  }

  async begin(session: Opened, fence: number): Promise<SessionRecord> {
    return await this.#link.call('begin', named(session), fence, this.#clock.now());
  }

  async finish(session: SessionId, fence: number): Promise<void> {
    await this.#link.call('finish', session, fence, this.#clock.now());
  }

  async session(id: SessionId): Promise<SessionRecord | null> {
    return await this.#link.call('session', id);
  }

  async sessions(page: { readonly limit: number; readonly after?: SessionId }): Promise<readonly SessionRecord[]> {
    assertLimit(page.limit);
    return await this.#link.call('sessions', page.limit, page.after ?? null);
  }

  async append({ session, leaf, fence, entries, artifacts = [] }: Append): Promise<readonly Entry[]> {
    const write = { session, leaf, fence, rows: entries.map(rowOf), artifacts };
    const { firstSeq, firstDepth } = await this.#link.call('append', write, this.#clock.now());
    return entries.map((draft, index) => {
      const place = {
        parent: index === 0 ? leaf : (entries[index - 1]?.id ?? null),
        session,
        seq: firstSeq + index,
        depth: firstDepth + index,
      };
      return { ...draft, ...place };
    });
  }

  async flush(): Promise<void> {
    await this.#link.call('flush');
  }

  async branch(session: SessionId, leaf: EntryId, page: Page): Promise<readonly Entry[]> {
    assertLimit(page.limit);
    const read = await this.#read({ session, leaf, page });
    const last = read.names[read.bodies.length - 1];
    // Whoever asks for a second page goes on to the root, as a rule: the next one is read while this one is parsed.
    if (page.before !== undefined && last !== undefined) this.#readAhead({ session, leaf, page: { ...page, before: last as EntryId } });
    return entriesOf(session, read);
  }

  async entries(session: SessionId, { after = 0, limit }: { readonly after?: number; readonly limit: number }): Promise<readonly Entry[]> {
    assertLimit(limit);
    return entriesOf(session, await this.#link.call('entries', session, after, limit));
  }

  async get(session: SessionId, ids: readonly EntryId[]): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    for (const page of await this.#link.call('get', session, ids)) {
      if (found.length > 0) await aside();
      found.push(...entriesOf(session, page));
    }
    return found;
  }

  async moveLeaf(session: SessionId, to: EntryId | null, fence: number | null): Promise<void> {
    await this.#link.call('moveLeaf', session, to, fence, this.#clock.now());
  }

  async drop(session: SessionId, fence: number | null): Promise<void> {
    await this.#link.call('drop', session, fence, this.#clock.now());
    this.#ahead = null;
  }

  #read(ask: Ask): Promise<EntryPage> {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead?.key === keyOf(ask) ? ahead.page : this.#link.call('branch', ask.session, ask.leaf, ask.page);
  }

  /** What goes wrong is told to whoever asks for the page; it may be nobody. */
  #readAhead(ask: Ask): void {
    const page = this.#link.call('branch', ask.session, ask.leaf, ask.page);
    page.catch(() => undefined);
    this.#ahead = { key: keyOf(ask), page };
  }
}

function named({ id, name, parent, created }: Opened): Opened {
  if (!isSessionName(id)) throw errors.usageInvalid(`${JSON.stringify(id)} cannot name a session.`);
  return { id, name, parent, created };
}

function keyOf({ session, leaf, page }: Ask): string {
  return JSON.stringify([session, leaf, page.before, page.limit, page.kinds]);
}

/** Bodies travel as JSON text: the worker stores it as it is. What the log sets itself is taken out, should a draft bring it. */
function rowOf(draft: Draft): DraftRow {
  const { id, time, turn, tokens, kind, parent: _parent, session: _session, seq: _seq, depth: _depth, ...body } = draft as Entry;
  try {
    return { id, time, turn, tokens, kind, body: JSON.stringify(body) };
  } catch (cause) {
    throw errors.usageInvalid(`Entry ${id} cannot be written as JSON: ${messageOf(cause)}`);
  }
}

function entriesOf(session: SessionId, { names, parents, turns, seqs, depths, kinds, times, tokens, bodies }: EntryPage): Entry[] {
  return bodies.map((body, at) => {
    const time = times[at] ?? 0;
    const envelope = {
      id: names[at],
      parent: names[parents[at] ?? -1] ?? null,
      session,
      seq: seqs[at],
      depth: depths[at],
      time: typeof time === 'string' ? time : isoTime(time),
      turn: names[turns[at] ?? -1] ?? null,
      tokens: tokens[at],
      kind: KINDS[kinds[at] ?? -1],
      ...bodyOf(body, session),
    };
    return envelope as Entry;
  });
}

function bodyOf(text: string, session: SessionId): object {
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw errors.storeDamaged(`an entry of session ${session} is no JSON: ${messageOf(cause)}`);
  }
}

/** Between two pages, so that parsing many of them does not hold up the event loop. */
async function aside(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
