/** The entry `@palimpsest/store/direct`. */
import type { StoreSettings } from '@palimpsest/contracts';
import { errors } from '@palimpsest/contracts/plain';
import { faultOf } from './database/fault.ts';
import { openDatabase, type OpenDatabase } from './database/open-database.ts';
import type { Link } from './link.ts';
import { worded } from './wording.ts';
import type { Operation, StoreOperations } from './worker/protocol.ts';

/**
 * The database on the caller's own thread, which it blocks: for a short command that has nothing else to do, and whose start another thread
 * would double. The file is opened by the first call.
 */
export class DirectLink implements Link {
  readonly #settings: StoreSettings;
  #database: OpenDatabase | null = null;
  #isClosed = false;

  constructor(settings: StoreSettings) {
    this.#settings = settings;
  }

  async call<K extends Operation>(operation: K, ...input: Parameters<StoreOperations[K]>): Promise<ReturnType<StoreOperations[K]>> {
    if (this.#isClosed) throw errors.storeClosed();
    try {
      this.#database ??= openDatabase(this.#settings);
      const run = this.#database.operations[operation] as (...input: readonly unknown[]) => ReturnType<StoreOperations[K]>;
      return run(...input);
    } catch (thrown) {
      throw worded(operation, faultOf(thrown) ?? { thrown });
    }
  }

  async close(): Promise<void> {
    if (!this.#isClosed && this.#database !== null) await this.call('close');
    this.#isClosed = true;
  }
}
