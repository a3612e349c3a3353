import { isPalimpsestError } from '@palimpsest/contracts/plain';
import type { Log, SessionId } from '@palimpsest/contracts';

/** Runs the work. What a failure leaves behind is dropped, unless another writer has taken the session over: then it is theirs. */
export async function undoneOnFailure<T>(
  log: Log,
  { session, fence }: { readonly session: SessionId; readonly fence: number | null },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isTakenOver(error))
      await log.drop(session, fence).catch((refusal: unknown) => {
        if (!isTakenOver(refusal)) throw refusal;
      });
    throw error;
  }
}

function isTakenOver(error: unknown): boolean {
  return ['LOG_LEAF_MOVED', 'LOG_FENCE_STALE', 'LOG_SESSION_UNKNOWN', 'SESSION_BUSY', 'SESSION_EXISTS'].some((code) =>
    isPalimpsestError(error, code),
  );
}
