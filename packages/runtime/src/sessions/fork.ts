import { artifactsOf, errors } from '@palimpsest/contracts/plain';
import type { ArtifactId, EntryId, SessionId } from '@palimpsest/contracts';
import { pathEntries, pathIds, recordOf, sessionIdFrom, type StoreAccess } from './access.ts';
import { copiedAfresh, type SessionCopy } from './copy.ts';
import { renaming } from './renamed.ts';

export interface ForkAsk {
  readonly session: string;
  /** The last entry of the copy; default: the leaf. */
  readonly entry?: string;
  /** Default: a fresh id. */
  readonly as?: string;
}
export interface Forked {
  readonly session: SessionId;
  readonly parent: { readonly session: SessionId; readonly entry: EntryId };
  readonly entries: number;
}

/**
 * A new session with the path up to an entry; both go on by themselves from there. One that fails leaves nothing.
 * @throws LOG_SESSION_UNKNOWN, LOG_ENTRY_UNKNOWN, SESSION_EXISTS, SESSION_BUSY, USAGE_INVALID for a session without entries.
 */
export async function forkSession(access: StoreAccess, ask: ForkAsk): Promise<Forked> {
  const { log } = access.store;
  const record = await recordOf(access, ask.session);
  const entry = (ask.entry ?? record.leaf) as EntryId | null;
  if (entry === null)
    throw errors.usageInvalid(
      `Session ${record.id} has no entries; there is nothing to fork.`,
      `Talk to it: palimpsest run "…" --session ${record.id}`,
    );
  const ids = await pathIds(log, record.id, entry);
  const id = ask.as === undefined ? access.ids.session() : sessionIdFrom(ask.as);
  const parent = { session: record.id, entry };
  const fresh = { id, name: record.name, parent, created: new Date(access.clock.now()).toISOString() };
  const copy = await copiedAfresh(
    access,
    fresh,
    renaming(ids, () => access.ids.entry()),
    (into) => copied(access, into, record.id, ids),
  );
  return { session: id, parent, entries: copy.entries };
}

async function copied({ store }: StoreAccess, copy: SessionCopy, session: SessionId, ids: readonly EntryId[]): Promise<void> {
  const held = new Set<ArtifactId>();
  for await (const entry of pathEntries(store.log, session, ids)) {
    for (const id of artifactsOf(entry)) {
      const artifact = held.has(id) ? null : await store.artifacts.get(id);
      held.add(id);
      if (artifact !== null) copy.hold(artifact);
    }
    await copy.add(entry);
  }
  await copy.flush();
}
