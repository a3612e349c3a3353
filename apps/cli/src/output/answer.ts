import { clean } from './clean.ts';

/** What a model says while it says it: as it comes, and every answer ends its line. */
export class AnswerWriter {
  readonly #write: (text: string) => void;
  #isOpen = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  say(text: string): void {
    const shown = clean(text);
    if (shown === '') return;
    this.#write(shown);
    this.#isOpen = !shown.endsWith('\n');
  }

  /** Nothing, where nothing was said since. */
  endLine(): void {
    if (this.#isOpen) this.#write('\n');
    this.#isOpen = false;
  }
}
