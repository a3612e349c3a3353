import { errors } from '@palimpsest/contracts/plain';
import type { SessionId } from '@palimpsest/contracts';
import type { StoreAccess } from '../sessions/access.ts';

const TTL_MS = 60_000;
const RENEW_MS = 20_000;

/**
 * Runs the work while the session's lease is held; its fence goes with every write.
 * @throws SESSION_BUSY while somebody else holds it; nothing was done then.
 */
export async function underLease<T>(
  { store: { leases }, ids, clock }: StoreAccess,
  session: SessionId,
  work: (fence: number) => Promise<T>,
): Promise<T> {
  const lease = await leases.acquire(session, ids.owner(), TTL_MS);
  if ('heldBy' in lease) throw errors.sessionBusy(session, lease.heldBy, lease.untilMs);
  // A lease that was lost meanwhile shows in the next write: its fence is stale.
  const stop = clock.every(RENEW_MS, () => {
    leases.renew(lease, TTL_MS).catch(() => null);
  });
  try {
    return await work(lease.fence);
  } finally {
    stop();
    // What was written stands; a lease that cannot be given back runs out by itself.
    await leases.release(lease).catch(() => undefined);
  }
}
