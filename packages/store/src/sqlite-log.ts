import { errors, messageOf, sessionId, type Append, type Clock, type Draft, type Entry, type EntryId, type Log, type Page, type SessionId, type SessionRecord } from '@palimpsest/contracts';
import { assertLimit } from './bounds.ts';
import type { DraftRow, EntryTuple } from './worker/protocol.ts';
import type { WorkerLink } from './worker/worker-link.ts';

export class SqliteLog implements Log {
  readonly #link: WorkerLink;
  readonly #clock: Clock;

  constructor(link: WorkerLink, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  async open({ id, name, parent, created }: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): Promise<SessionRecord> {
    if (!sessionId.safeParse(id).success) throw errors.usageInvalid(`${JSON.stringify(id)} cannot name a session.`);
    return await this.#link.call('openSession', { id, name, parent, created });
  }

  async session(id: SessionId): Promise<SessionRecord | null> {
    return await this.#link.call('session', id);
  }

  async sessions(page: { readonly limit: number; readonly after?: SessionId }): Promise<readonly SessionRecord[]> {
    assertLimit(page.limit);
    return await this.#link.call('sessions', page.limit, page.after ?? null);
  }

  async append({ session, leaf, fence, entries, artifacts = [] }: Append): Promise<readonly Entry[]> {
    const write = { session, leaf, fence, rows: entries.map(rowOf), artifacts, durable: entries.some(isUserInput) };
    const { firstSeq, firstDepth } = await this.#link.call('append', write, this.#clock.now());
    return entries.map((draft, index) => {
      const place = { parent: index === 0 ? leaf : entries[index - 1]?.id ?? null, session, seq: firstSeq + index, depth: firstDepth + index };
      return { ...draft, ...place };
    });
  }

  async branch(session: SessionId, leaf: EntryId, page: Page): Promise<readonly Entry[]> {
    assertLimit(page.limit);
    return (await this.#link.call('branch', session, leaf, page)).map((tuple) => entryOf(session, tuple));
  }

  async entries(session: SessionId, { after = 0, limit }: { readonly after?: number; readonly limit: number }): Promise<readonly Entry[]> {
    assertLimit(limit);
    return (await this.#link.call('entries', session, after, limit)).map((tuple) => entryOf(session, tuple));
  }

  async get(session: SessionId, ids: readonly EntryId[]): Promise<readonly Entry[]> {
    const found: Entry[] = [];
    for (const page of await this.#link.call('get', session, ids)) {
      if (found.length > 0) await aside();
      found.push(...page.map((tuple) => entryOf(session, tuple)));
    }
    return found;
  }

  async moveLeaf(session: SessionId, to: EntryId | null, fence: number | null): Promise<void> {
    await this.#link.call('moveLeaf', session, to, fence, this.#clock.now());
  }

  async drop(session: SessionId, fence: number | null): Promise<void> {
    await this.#link.call('drop', session, fence, this.#clock.now());
  }
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

/** What a person said exists nowhere else; all else could be made again, or was never acknowledged to anyone. */
function isUserInput(draft: Draft): boolean {
  return draft.kind === 'message' && draft.origin === 'user_input';
}

function entryOf(session: SessionId, [seq, id, parent, depth, turn, kind, time, tokens, body]: EntryTuple): Entry {
  const envelope = { id, parent, session, seq, depth, time: typeof time === 'string' ? time : new Date(time).toISOString(), turn, tokens, kind };
  return { ...envelope, ...(JSON.parse(body) as object) } as Entry;
}

/** Between two pages, so that parsing many of them does not hold up the event loop. */
async function aside(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
