/** Middle value; of an even number, the lower middle. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** Milliseconds of one run. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** So often a thing is done before it is measured: the compiler has settled then. */
const WARM_UPS = 5;

/** Two things in turn, A B A B …, after warming up; the medians. */
export async function paired(runs: number, a: () => unknown, b: () => unknown): Promise<{ readonly a: number; readonly b: number }> {
  const times: { a: number[]; b: number[] } = { a: [], b: [] };
  for (let run = 0; run < WARM_UPS; run += 1) {
    await a();
    await b();
  }
  for (let run = 0; run < runs; run += 1) {
    times.a.push(await timed(a));
    times.b.push(await timed(b));
  }
  return { a: median(times.a), b: median(times.b) };
}

/** Longest time that the event loop did not come round, in milliseconds, sampled every 2 ms. */
export class StallWatch {
  longest = 0;
  #last = performance.now();
  readonly #timer = setInterval(() => {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.#last - 2);
    this.#last = now;
  }, 2);

  stop(): number {
    clearInterval(this.#timer);
    return this.longest;
  }
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly bound: number;
  readonly unit: '×' | 'ms';
  readonly note: string;
}
