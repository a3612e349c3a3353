import { cleanLine } from './clean.ts';
import { cut } from './table.ts';

/** One line that is written over on a terminal; silent in a pipe. At most ten times a second. */
export class Progress {
  #last = 0;
  #width = 0;
  readonly #live = process.stderr.isTTY;

  show(text: string): void {
    const now = performance.now();
    if (!this.#live || now - this.#last < 100) return;
    this.#last = now;
    // A line that is broken cannot be written over.
    const shown = cut(cleanLine(text), Math.max(1, process.stderr.columns - 1));
    process.stderr.write(`\r${shown.padEnd(this.#width)}`);
    this.#width = [...shown].length;
  }

  end(): void {
    if (this.#live && this.#width > 0) process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
