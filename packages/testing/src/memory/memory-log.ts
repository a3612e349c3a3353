import {
  errors,
  sessionId,
  type Append,
  type Draft,
  type Entry,
  type EntryId,
  type Log,
  type Page,
  type SessionId,
  type SessionRecord,
} from '@palimpsest/contracts';
import { assertLimit } from './bounds.ts';
import { frozenCopy } from './frozen.ts';
import { putArtifacts } from './memory-artifacts.ts';
import type { MemorySession, MemoryState } from './state.ts';

/** A page ends after this many characters of JSON, as in a store that reads from disk: callers must not count on full pages. */
const PAGE_CHARACTERS = 1 << 20;
const FORMAT = 1;

export class MemoryLog implements Log {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async open(asked: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): Promise<SessionRecord> {
    this.#state.assertOpen();
    if (!sessionId.safeParse(asked.id).success) throw errors.usageInvalid(`${JSON.stringify(asked.id)} cannot name a session.`);
    const known = this.#state.sessions.get(asked.id);
    if (known !== undefined) return recordOf(known);
    const { id, name, parent, created } = asked;
    const session: MemorySession = {
      record: frozenCopy({ id, name, parent, created, format: FORMAT }),
      entries: [],
      sizes: [],
      leaf: null,
      updated: created,
      filled: null,
    };
    this.#state.sessions.set(id, session);
    return recordOf(session);
  }

  async begin(asked: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>, fence: number): Promise<SessionRecord> {
    this.#state.assertOpen();
    this.#state.assertFence(asked.id, fence);
    if ((this.#state.sessions.get(asked.id)?.entries.length ?? 0) > 0) throw errors.sessionExists(asked.id);
    await this.open(asked);
    const session = this.#state.session(asked.id);
    session.filled = { under: fence, isDone: false };
    return recordOf(session);
  }

  async finish(id: SessionId, fence: number): Promise<void> {
    this.#state.assertOpen();
    const session = this.#state.session(id);
    this.#state.assertFence(id, fence);
    if (session.filled?.under === fence) session.filled = { under: fence, isDone: true };
  }

  async session(id: SessionId): Promise<SessionRecord | null> {
    this.#state.assertOpen();
    const session = this.#state.sessions.get(id);
    return session === undefined ? null : recordOf(session);
  }

  async sessions(page: { readonly limit: number; readonly after?: SessionId }): Promise<readonly SessionRecord[]> {
    this.#state.assertOpen();
    assertLimit(page.limit);
    const newestFirst = [...this.#state.sessions.values()].reverse();
    const from = page.after === undefined ? 0 : newestFirst.indexOf(this.#state.session(page.after)) + 1;
    return newestFirst.slice(from, from + page.limit).map(recordOf);
  }

  async flush(): Promise<void> {
    this.#state.assertOpen();
  }

  async append(write: Append): Promise<readonly Entry[]> {
    this.#state.assertOpen();
    const session = this.#state.session(write.session);
    this.#state.assertFence(write.session, write.fence);
    if (session.leaf !== write.leaf) throw errors.logLeafMoved(write.session, write.leaf, session.leaf);
    this.#assertFreshIds(write.entries);
    const entries = this.#placed(session, write);
    putArtifacts(this.#state, write.artifacts ?? []);
    for (const entry of entries) this.#add(session, entry);
    if (entries.length > 0) keepFilling(session, write.fence);
    return entries;
  }

  async branch(session: SessionId, leaf: EntryId, page: Page): Promise<readonly Entry[]> {
    this.#state.assertOpen();
    assertLimit(page.limit);
    const held = this.#state.session(session);
    const newest = this.#state.entry(session, leaf);
    let at = page.before === undefined ? newest.id : this.#state.entry(session, page.before).parent;
    const found: Entry[] = [];
    let characters = 0;
    while (at !== null && found.length < page.limit && characters < PAGE_CHARACTERS) {
      const entry = this.#state.entry(session, at);
      at = entry.parent;
      if (page.kinds !== undefined && !page.kinds.includes(entry.kind)) continue;
      found.push(entry);
      characters += held.sizes[entry.seq - 1] ?? 0;
    }
    return found;
  }

  async entries(session: SessionId, { after = 0, limit }: { readonly after?: number; readonly limit: number }): Promise<readonly Entry[]> {
    this.#state.assertOpen();
    assertLimit(limit);
    const { entries, sizes } = this.#state.session(session);
    let [end, characters] = [after, 0];
    while (end < entries.length && end - after < limit && characters < PAGE_CHARACTERS) characters += sizes[end++] ?? 0;
    return entries.slice(after, end);
  }

  async get(session: SessionId, ids: readonly EntryId[]): Promise<readonly Entry[]> {
    this.#state.assertOpen();
    this.#state.session(session);
    return ids.flatMap((id) => {
      const entry = this.#state.entries.get(id);
      return entry?.session === session ? [entry] : [];
    });
  }

  async moveLeaf(session: SessionId, to: EntryId | null, fence: number | null): Promise<void> {
    this.#state.assertOpen();
    const held = this.#state.session(session);
    this.#state.assertFence(session, fence);
    if (to !== null) this.#state.entry(session, to);
    held.leaf = to;
    keepFilling(held, fence);
  }

  async drop(session: SessionId, fence: number | null): Promise<void> {
    this.#state.assertOpen();
    this.#state.assertFence(session, fence);
    for (const entry of this.#state.sessions.get(session)?.entries ?? []) this.#state.entries.delete(entry.id);
    this.#state.sessions.delete(session);
    for (const [id, held] of this.#state.artifacts) {
      if (!held.holders.delete(session)) continue;
      const heir = [...this.#state.sessions.keys()].find((other) => held.holders.has(other));
      if (heir === undefined) this.#state.artifacts.delete(id);
      else if (held.artifact.session === session) held.artifact = Object.freeze({ ...held.artifact, session: heir });
    }
  }

  #assertFreshIds(drafts: readonly Draft[]): void {
    const seen = new Set<EntryId>();
    for (const { id } of drafts) {
      if (seen.has(id) || this.#state.entries.has(id)) throw errors.logIdTaken(id);
      seen.add(id);
    }
  }

  #placed(session: MemorySession, write: Append): Entry[] {
    let parent = write.leaf === null ? null : this.#state.entry(write.session, write.leaf);
    return write.entries.map((draft, index) => {
      const envelope = {
        parent: parent?.id ?? null,
        session: write.session,
        seq: session.entries.length + index + 1,
        depth: parent === null ? 0 : parent.depth + 1,
      };
      return (parent = copyOf({ ...draft, ...envelope }));
    });
  }

  #add(session: MemorySession, entry: Entry): void {
    session.entries.push(entry);
    session.sizes.push(JSON.stringify(entry).length);
    session.leaf = entry.id;
    session.updated = entry.time;
    this.#state.entries.set(entry.id, entry);
  }
}

function copyOf(entry: Entry): Entry {
  try {
    return frozenCopy(entry);
  } catch (cause) {
    throw errors.usageInvalid(`Entry ${entry.id} cannot be written as JSON: ${String(cause)}`);
  }
}

/** A write by anybody but the one who fills it ends that. */
function keepFilling(session: MemorySession, fence: number | null): void {
  if (session.filled?.under !== fence) session.filled = null;
}

function recordOf({ record, leaf, entries, updated, filled }: MemorySession): SessionRecord {
  return Object.freeze({
    ...record,
    leaf,
    entries: entries.length,
    updated,
    filling: filled === null ? null : filled.isDone ? 'done' : 'begun',
  });
}
