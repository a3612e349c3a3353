/** How long the kit waits for an engine, and for which methods it waits no more. */
import { afterOwn } from './time.ts';

/** Methods that once did not answer, and how: they are not waited for again. */
export type Hung = Map<string, Late['why']>;

/** The engine kept the kit waiting. */
export class Late extends Error {
  readonly why: 'deadline' | 'abort';

  constructor(why: 'deadline' | 'abort') {
    super(why === 'deadline' ? 'did not answer in time' : 'did not stop when told to');
    this.why = why;
  }
}

/** A compaction reads the whole branch and may ask a model. */
const COMPACT_FACTOR = 4;
/** So long may a method take to stop after its signal; less where little patience is asked for. */
const GRACE_MS = 1_000;
const GRACE_SHARE = 0.5;

export class Patience {
  /** Every method has at least so long: what it is asked for takes its time on this machine. */
  atLeastMs = 0;
  readonly #ms: number;
  readonly #hung: Hung;

  /** @param ms how long a call may take; a compaction four times as long. */
  constructor(ms: number, hung: Hung) {
    this.#ms = ms;
    this.#hung = hung;
  }

  get graceMs(): number {
    return Math.min(GRACE_MS, this.#ms * GRACE_SHARE);
  }

  limitMs(method: string): number {
    return Math.max(this.#ms * (method === 'compact' ? COMPACT_FACTOR : 1), this.atLeastMs);
  }

  isHung(method: string): boolean {
    return this.#hung.has(method);
  }

  /** A method that once did not answer is asked again. */
  askAgain(method: string): void {
    this.#hung.delete(method);
  }

  /** What its signal says once it has ended is nothing that it ignores. @throws Late. */
  async within<R>(method: string, signal: AbortSignal | undefined, run: () => R | Promise<R>): Promise<R> {
    const hung = this.#hung.get(method);
    if (hung !== undefined) throw new Late(hung);
    const ended = new AbortController();
    let stop = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = (why: Late['why'], ms: number): void => {
        stop();
        stop = afterOwn(ms, () => {
          this.#hung.set(method, why);
          reject(new Late(why));
        });
      };
      if (signal?.aborted === true) giveUp('abort', this.graceMs);
      else giveUp('deadline', this.limitMs(method));
      signal?.addEventListener(
        'abort',
        () => {
          giveUp('abort', this.graceMs);
        },
        { once: true, signal: ended.signal },
      );
    });
    try {
      return await Promise.race([Promise.resolve().then(run), late]);
    } finally {
      ended.abort();
      stop();
    }
  }
}
