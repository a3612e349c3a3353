import type { Clock } from '@palimpsest/contracts';

/** Thrown inside the guard only. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** The answer, or a rejection once `ms` have passed or the caller gave up. A later answer is dropped; the work itself is told through `signal`. */
export async function within<T>(clock: Clock, ms: number, outer: AbortSignal, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const inner = new AbortController();
  const started = work(AbortSignal.any([outer, inner.signal]));
  if (!isPromise(started)) return started;
  const done = new AbortController();
  try {
    return await Promise.race([started, clock.sleep(ms, done.signal).then(() => Promise.reject(new DeadlineMissed(`no answer within ${String(ms)} ms`)))]);
  } catch (error) {
    inner.abort();
    started.catch(() => undefined);
    throw error;
  } finally {
    done.abort();
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
