import type Sqlite from 'better-sqlite3';
import type { StoreSettings } from '@palimpsest/contracts';

/** `durable`: on disk when it returns, where the settings ask for that. */
export type Durability = 'durable' | 'ordinary';

/** The only way to write: immediate transactions, for a deferred one that reads first fails as soon as there are two writers. */
export class Transactions {
  readonly #database: Sqlite.Database;
  readonly #full: boolean;
  readonly #transaction: Sqlite.Transaction<(run: () => void) => void>;
  #synchronous = '';
  /** Something was written since everything was on disk. */
  #behind = false;

  constructor(database: Sqlite.Database, durability: StoreSettings['durability']) {
    this.#database = database;
    this.#full = durability === 'full';
    this.#transaction = database.transaction((run: () => void) => run());
  }

  write<T>(durability: Durability, run: () => T): T {
    const isDurable = this.#full && durability === 'durable';
    this.#sync(isDurable ? 'FULL' : 'NORMAL');
    const answers: T[] = [];
    this.#transaction.immediate(() => void answers.push(run()));
    this.#behind = !isDurable;
    return answers[0] as T;
  }

  /** Everything written so far is on disk when it returns. A commit takes along what the log of writes holds, and the version is the least that can be committed. */
  flush(): void {
    if (!this.#full || !this.#behind) return;
    this.write('durable', () => this.#database.pragma(`user_version = ${String(this.#database.pragma('user_version', { simple: true }))}`));
    // Beside a model's call, as a rule; the next append has a turn waiting for it.
    this.#sync('NORMAL');
  }

  /** What it deletes is overwritten in the file as well, and the log of writes that still holds it is emptied unless others read from it. */
  erase(run: () => void): void {
    this.#database.pragma('secure_delete = ON');
    try {
      this.write('durable', run);
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      this.#database.pragma('secure_delete = OFF');
    }
  }

  #sync(synchronous: 'FULL' | 'NORMAL'): void {
    if (this.#synchronous !== synchronous) this.#database.pragma(`synchronous = ${synchronous}`);
    this.#synchronous = synchronous;
  }
}
