import type { Artifacts, Clock, Leases, Log, Search, Store, StoreSettings } from '@palimpsest/contracts';
import { SqliteArtifacts } from './sqlite-artifacts.ts';
import { SqliteLeases } from './sqlite-leases.ts';
import { SqliteLog } from './sqlite-log.ts';
import { SqliteSearch } from './sqlite-search.ts';
import { WorkerLink } from './worker/worker-link.ts';

/** One SQLite file behind one worker thread. Entries that it returns belong to all readers: nobody writes to them. */
export class SqliteStore implements Store {
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  readonly search: Search;
  readonly #link: WorkerLink;

  constructor(link: WorkerLink, clock: Clock) {
    this.#link = link;
    this.log = new SqliteLog(link, clock);
    this.artifacts = new SqliteArtifacts(link);
    this.leases = new SqliteLeases(link, clock);
    this.search = new SqliteSearch(link);
  }

  /** Waits for what was asked before, closes the file, ends the worker. Idempotent. */
  async close(): Promise<void> {
    await this.#link.close();
  }
}

/** Opens the store, making the file and its folder where they are missing. @throws STORE_OPEN_FAILED, STORE_TOO_NEW. */
export async function openStore(options: StoreSettings & { readonly clock: Clock }): Promise<Store> {
  const link = new WorkerLink();
  try {
    await link.call('open', { file: options.file, durability: options.durability });
  } catch (error) {
    await link.end();
    throw error;
  }
  return new SqliteStore(link, options.clock);
}
