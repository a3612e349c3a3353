import { howItBroke, howItEnded } from './early-end.ts';

/** Says what ended the command, at once, for nothing can be waited for any more; gives the exit code. */
export type Tell = (how: string) => number;

/**
 * Watches over the end of the process, for code of others runs in it. Until the command is done only the command ends it well; afterwards
 * nothing changes how it ended or keeps it from its end.
 */
export class Ending {
  #tell: Tell | null = null;
  #code: number | null = null;

  constructor() {
    process.on('exit', this.#onExit);
  }

  /** From here on code of others may run. */
  watch(tell: Tell): void {
    this.#tell = tell;
    process.on('uncaughtException', (thrown) => {
      if (this.#code === null) this.now(tell(howItBroke(thrown)));
    });
  }

  /** The command is done: what it said is written out, and then the process ends. Where stdout failed, whoever hears of that ends it. */
  end(): void {
    const code = Number(process.exitCode ?? 0);
    this.#code = code;
    process.stdout.write('', (failed) => {
      if (failed === null || failed === undefined) process.stderr.write('', () => this.now(code));
    });
  }

  now(code: number): never {
    this.#code = code;
    process.exit(code);
  }

  readonly #onExit = (code: number): void => {
    if (this.#code !== null) process.exitCode = this.#code;
    // Listeners that come later could say otherwise.
    else if (this.#tell !== null) process.exit(this.#tell(howItEnded(new Error().stack ?? '', code)));
  };
}
