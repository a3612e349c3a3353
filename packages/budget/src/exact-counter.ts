import { scheduler } from 'node:timers/promises';
import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type { PalimpsestError, TokenCounter } from '@palimpsest/contracts';
import { countExactly, countTokens, sampleOf, scaled } from './count-tokens.ts';
import { CountingThread } from './counting-thread.ts';
import { isLoaded } from './encodings.ts';
import type { Encoding } from './encodings.ts';
import { estimateTokens } from './estimate/estimate-tokens.ts';
import { portions } from './runs.ts';

/** Up to here a count takes about a millisecond, less than it costs to ask another thread. Characters. */
const HERE_CHARACTERS = 8 * 1024;
/** Longest text that `countNow` counts whole. Characters. */
const NOW_EXACT_CHARACTERS = 64 * 1024;
/** After so many failures in a row the thread is not started again. */
const THREAD_FAILURES = 2;

export interface ExactCounterOptions {
  readonly encoding?: Encoding;
  readonly thread?: CountingThread;
  /** Told of BUDGET_WORKER_FAILED; the count itself goes on, on the caller's thread. Default: a process warning. */
  readonly onFault?: (error: PalimpsestError) => void;
}

/**
 * Counts with the tokenizer itself, on one other thread; short text at once where the vocabulary is loaded here anyway, for loading
 * it holds up the caller's thread; text above 256 Ki characters from a sample. Owns its thread: close it.
 */
export class ExactCounter implements TokenCounter {
  readonly #encoding: Encoding;
  readonly #thread: CountingThread;
  readonly #onFault: (error: PalimpsestError) => void;
  #failures = 0;
  #closed = false;

  constructor(options: ExactCounterOptions = {}) {
    this.#encoding = options.encoding ?? 'o200k_base';
    this.#thread = options.thread ?? new CountingThread();
    this.#onFault = options.onFault ?? ((error) => process.emitWarning(error));
  }

  /** @throws BUDGET_CLOSED after or during close. */
  async count(text: string): Promise<number> {
    if (this.#closed) throw errors.budgetClosed();
    if (text === '') return 0;
    if (text.length <= HERE_CHARACTERS && isLoaded(this.#encoding)) return countExactly(text, this.#encoding);
    const sample = sampleOf(text);
    return scaled(sample, await this.#elsewhere(sample.slices));
  }

  countNow(text: string): number {
    return countTokens(text, this.#encoding, NOW_EXACT_CHARACTERS);
  }

  estimate(text: string): number {
    return estimateTokens(text);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread.close();
  }

  async #elsewhere(slices: readonly string[]): Promise<number> {
    if (this.#failures >= THREAD_FAILURES) return this.#here(slices);
    try {
      const tokens = await this.#thread.count(slices, this.#encoding);
      this.#failures = 0;
      return tokens;
    } catch (thrown) {
      if (!isPalimpsestError(thrown, 'BUDGET_WORKER_FAILED')) throw thrown;
      this.#failures++;
      this.#onFault(thrown);
      return this.#here(slices);
    }
  }

  /** The same figure on this thread, letting others run after every few KiB. */
  async #here(slices: readonly string[]): Promise<number> {
    let sum = 0;
    for (const slice of slices) {
      for (const portion of portions(slice, HERE_CHARACTERS)) {
        sum += countExactly(portion, this.#encoding);
        await scheduler.yield();
        if (this.#closed) throw errors.budgetClosed();
      }
    }
    return sum;
  }
}
