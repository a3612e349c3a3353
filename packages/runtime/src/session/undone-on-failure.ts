import { isPalimpsestError } from '@palimpsest/contracts';
import type { Log, Session } from '@palimpsest/contracts';

/** Runs the work and closes the session. What a failure leaves behind is dropped, unless another writer has taken the session over: then it is theirs. */
export async function undoneOnFailure<T>(log: Log, session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await session.close();
    if (!isTakenOver(error)) await log.drop(session.id);
    throw error;
  } finally {
    await session.close();
  }
}

function isTakenOver(error: unknown): boolean {
  return ['LOG_LEAF_MOVED', 'LOG_FENCE_STALE', 'LOG_SESSION_UNKNOWN', 'SESSION_BUSY'].some((code) => isPalimpsestError(error, code));
}
