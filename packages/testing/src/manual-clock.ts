import type { Clock } from '@palimpsest/contracts';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that moves when told to. Sleepers and repeated calls run in the order in which they fall due. */
export class ManualClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  /** Rejects with the signal's reason when that comes first. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const timer = this.#add(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      const abort = (): void => {
        this.#timers.delete(timer);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Does not wait for time: the event loop comes round. */
  pause(): Promise<void> {
    return settled();
  }

  every(ms: number, run: () => void): () => void {
    let timer: Timer;
    const again = (): void => {
      timer = this.#add(ms, () => {
        again();
        run();
      });
    };
    again();
    return () => this.#timers.delete(timer);
  }

  /** Moves time on and runs everything that falls due meanwhile; between two of them, what waits for a promise gets its turn. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    for (let next = this.#next(untilMs); next !== null; next = this.#next(untilMs)) {
      this.#moveTo(next.dueMs);
      this.#timers.delete(next);
      next.run();
      await settled();
    }
    this.#moveTo(untilMs);
    await settled();
  }

  /** How many sleepers and repeated calls wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Moves the wall clock alone: a machine whose time was set. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  #add(ms: number, run: () => void): Timer {
    const timer = { dueMs: this.#elapsedMs + Math.max(0, ms), order: this.#order++, run };
    this.#timers.add(timer);
    return timer;
  }

  #next(untilMs: number): Timer | null {
    const due = [...this.#timers].filter((timer) => timer.dueMs <= untilMs);
    return due.sort((one, other) => one.dueMs - other.dueMs || one.order - other.order)[0] ?? null;
  }

  #moveTo(elapsedMs: number): void {
    this.#nowMs += elapsedMs - this.#elapsedMs;
    this.#elapsedMs = elapsedMs;
  }
}

/** One turn of the event loop, so that promises that were just resolved are acted on. */
async function settled(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
