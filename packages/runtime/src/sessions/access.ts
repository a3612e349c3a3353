import { errors, isSessionName } from '@palimpsest/contracts/plain';
import type { Clock, EntryId, Ids, Log, SessionId, SessionRecord, Store, Entry } from '@palimpsest/contracts';

/** What reading and copying sessions needs: a runtime has it, and a store that was opened alone. */
export interface StoreAccess {
  readonly store: Omit<Store, 'close'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** @throws USAGE_INVALID for an id that cannot name a session. */
export function sessionIdFrom(text: string): SessionId {
  if (!isSessionName(text))
    throw errors.usageInvalid(`"${text.slice(0, 60)}" cannot name a session: 1 to 200 characters, no control characters`);
  return text;
}

/** @throws USAGE_INVALID, LOG_SESSION_UNKNOWN. */
export async function recordOf({ store }: StoreAccess, name: string): Promise<SessionRecord> {
  const id = sessionIdFrom(name);
  const record = await store.log.session(id);
  if (record === null) throw errors.logSessionUnknown(id);
  return record;
}

const PAGE_ENTRIES = 500;

/** All entries of a session, of every branch, in the order of `seq`; one page at a time is held. */
export async function* entriesInOrder(log: Log, session: SessionId): AsyncGenerator<Entry, void, void> {
  for (let after = 0; ;) {
    const page = await log.entries(session, { after, limit: PAGE_ENTRIES });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = last.seq;
  }
}

/** The ids of a path, root first. */
export async function pathIds(log: Log, session: SessionId, leaf: EntryId | null): Promise<readonly EntryId[]> {
  const ids: EntryId[] = [];
  for (let before: EntryId | undefined; leaf !== null; before = ids.at(-1)) {
    const page = await log.branch(session, leaf, { limit: PAGE_ENTRIES, ...(before === undefined ? {} : { before }) });
    if (page.length === 0) break;
    ids.push(...page.map(({ id }) => id));
  }
  return ids.reverse();
}

const STRETCH_ENTRIES = 100;

/** The entries of a path, root first; a stretch at a time is held. */
export async function* pathEntries(log: Log, session: SessionId, ids: readonly EntryId[]): AsyncGenerator<Entry, void, void> {
  for (let start = 0; start < ids.length; start += STRETCH_ENTRIES)
    yield* await log.get(session, ids.slice(start, start + STRETCH_ENTRIES));
}
