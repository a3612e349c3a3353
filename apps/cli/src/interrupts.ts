/** Signals of the system by number: an exit code is 128 and that. */
const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type Caught = keyof typeof CODES;
const NAMES = Object.keys(CODES) as readonly Caught[];

/** While work runs, the first signal that would end the process aborts it instead, so that it can give back what it holds; the next one ends the process at once. */
export class Interrupts {
  readonly #abort = new AbortController();
  #caught: Caught | null = null;

  constructor() {
    for (const name of NAMES) process.once(name, this.#stop);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Of the signal that came; null: none did. */
  get exitCode(): number | null {
    return this.#caught === null ? null : CODES[this.#caught];
  }

  stop(): void {
    for (const name of NAMES) process.off(name, this.#stop);
  }

  readonly #stop = (name: NodeJS.Signals): void => {
    this.#caught = NAMES.find((known) => known === name) ?? null;
    this.stop();
    this.#abort.abort();
  };
}
