import { errors } from '@palimpsest/contracts/plain';
import type { Log, SessionId, SessionRecord } from '@palimpsest/contracts';
import type { StoreAccess } from '../sessions/access.ts';
import { underLease } from './under-lease.ts';
import { undoneOnFailure } from './undone-on-failure.ts';

export type Fresh = Parameters<Log['begin']>[0];
/** Throws where a whole session may not be given up for the one that is to come. */
export type Spare = (standing: SessionRecord) => void;

/**
 * Fills a session from nothing, under its lease. Until all of it is there the log has it as begun: what a killed process left of one is
 * cleared away by the next, whole sessions as far as `spare` lets them. One that fails leaves nothing.
 * @throws SESSION_BUSY while somebody else writes to it; nothing was done then.
 */
export async function filled<T>(access: StoreAccess, fresh: Fresh, spare: Spare, work: (fence: number) => Promise<T>): Promise<T> {
  const { log } = access.store;
  return underLease(access, fresh.id, async (fence) => {
    await begun(log, { fresh, fence }, spare);
    return undoneOnFailure(log, { session: fresh.id, fence }, async () => {
      const answer = await work(fence);
      await log.finish(fresh.id, fence);
      return answer;
    });
  });
}

/** Clears the place and begins the session. */
export async function begun(log: Log, { fresh, fence }: { readonly fresh: Fresh; readonly fence: number }, spare: Spare): Promise<void> {
  const standing = await log.session(fresh.id);
  if (standing !== null) {
    if (standing.filling !== 'begun') spare(standing);
    await log.drop(fresh.id, fence);
  }
  await log.begin(fresh, fence);
}

/** For a session whose id somebody chose. @throws SESSION_EXISTS. */
export const spareAny: Spare = ({ id }) => {
  throw errors.sessionExists(id);
};

/** For a session whose id says what it was made of: it can be made again, unless somebody has written to it. @throws what `refusal` makes. */
export function spareChanged(refusal: (id: SessionId) => Error): Spare {
  return ({ id, filling, entries }) => {
    if (filling === null && entries > 0) throw refusal(id);
  };
}
