/** One line that is written over on a terminal; silent in a pipe. At most ten times a second. */
export class Progress {
  #last = 0;
  #width = 0;
  readonly #live = process.stderr.isTTY;

  show(text: string): void {
    const now = performance.now();
    if (!this.#live || now - this.#last < 100) return;
    this.#last = now;
    process.stderr.write(`\r${text.padEnd(this.#width)}`);
    this.#width = text.length;
  }

  end(): void {
    if (this.#live && this.#width > 0) process.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
