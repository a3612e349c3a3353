import { cleanLine } from './clean.ts';
import { columnsOf } from './columns.ts';
import { cut, wide } from './width.ts';

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
    const shown = cut(cleanLine(text), (columnsOf(process.stderr) ?? 80) - 1);
    const width = wide(shown);
    process.stderr.write(`\r${shown}${' '.repeat(Math.max(0, this.#width - width))}`);
    this.#width = width;
  }

  end(): void {
    if (this.#live && this.#width > 0) process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
