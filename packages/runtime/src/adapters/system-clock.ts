import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clock } from '@palimpsest/contracts';

/** The machine's time. The one place where timers and the wall clock are read. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  elapsed(): number {
    return performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  }

  pause(): Promise<void> {
    return setImmediate();
  }

  every(ms: number, run: () => void): () => void {
    const timer = setInterval(run, ms).unref();
    return () => {
      clearInterval(timer);
    };
  }
}
