import { clean } from './clean.ts';

/** What a model says while it says it: as it comes, and every answer ends its line. */
export class AnswerWriter {
  readonly #write: (text: string) => void;
  #isOpen = false;
  /** The first half of a line break, perhaps. */
  #held = '';

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  say(text: string): void {
    const all = this.#held + text;
    this.#held = all.endsWith('\r') ? '\r' : '';
    this.#put(clean(all.slice(0, all.length - this.#held.length)));
  }

  /** Nothing, where nothing was said since. */
  endLine(): void {
    this.#put(clean(this.#held));
    this.#held = '';
    if (this.#isOpen) this.#write('\n');
    this.#isOpen = false;
  }

  #put(shown: string): void {
    if (shown === '') return;
    this.#write(shown);
    this.#isOpen = !shown.endsWith('\n');
  }
}
