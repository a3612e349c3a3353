import type { Clock } from '@palimpsest/contracts';

/** Thrown by `within` only; what a host sees names the engine and the rule `deadline`. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** The turn was given up while this work was awaited: nobody's fault, and its answer is no longer wanted. Thrown inside the kernel only. */
export class TurnAborted extends Error {
  override readonly name = 'TurnAborted';

  constructor() {
    super('the turn was aborted');
  }
}

/**
 * The answer, or a rejection once `ms` have passed or `outer` aborts, whether the work listens or not. A later answer is dropped; the work
 * itself is told through `signal`. No timer outlives the call.
 */
export async function within<T>(clock: Clock, ms: number, outer: AbortSignal, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  if (outer.aborted) throw new TurnAborted();
  const inner = new AbortController();
  const started = work(AbortSignal.any([outer, inner.signal]));
  if (!isPromise(started)) return started;
  const done = new AbortController();
  const over = clock
    .sleep(ms, AbortSignal.any([outer, done.signal]))
    .then(() => Promise.reject(new DeadlineMissed(`no answer within ${String(ms)} ms`)));
  try {
    return await Promise.race([started, over]);
  } catch (error) {
    inner.abort();
    throw outer.aborted ? new TurnAborted() : error;
  } finally {
    done.abort();
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
