import type { Artifacts, Clock, Ids, Leases, Log, Search, Store, StoreSettings } from '@palimpsest/contracts';
import type { Link } from './link.ts';
import { SqliteArtifacts } from './sqlite-artifacts.ts';
import { SqliteLeases } from './sqlite-leases.ts';
import { SqliteLog } from './sqlite-log.ts';
import { SqliteSearch } from './sqlite-search.ts';
import { WorkerLink } from './worker/worker-link.ts';

export interface StoreParts {
  /** The way to the database. Default: a thread of its own. */
  readonly link?: Link;
  /** Who can tell that the owner of a lease is gone. Default: nobody can. */
  readonly ids?: Pick<Ids, 'isGone'>;
}

/**
 * One SQLite file behind one worker thread, unless another way to it is given. The thread starts and the file is opened with the first call,
 * which then may also throw STORE_OPEN_FAILED or STORE_TOO_NEW. Entries that it returns belong to all readers: nobody writes to them.
 */
export class SqliteStore implements Store {
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  readonly search: Search;
  readonly #link: Link;

  constructor({ file, durability }: StoreSettings, clock: Clock, { link = new WorkerLink({ file, durability }), ids }: StoreParts = {}) {
    this.#link = link;
    this.log = new SqliteLog(this.#link, clock);
    this.artifacts = new SqliteArtifacts(this.#link);
    this.leases = new SqliteLeases(this.#link, clock, ids === undefined ? undefined : (owner) => ids.isGone(owner));
    this.search = new SqliteSearch(this.#link);
  }

  /** Opens the file now, making it and its folder where they are missing. @throws STORE_OPEN_FAILED, STORE_TOO_NEW. */
  async open(): Promise<this> {
    await this.#link.call('open');
    return this;
  }

  /** Waits for what was asked before, closes the file and the way to it. Idempotent. */
  async close(): Promise<void> {
    await this.#link.close();
  }
}

/** A store whose file is open. @throws STORE_OPEN_FAILED, STORE_TOO_NEW; then nothing is left running. */
export async function openStore({ clock, file, durability, ...parts }: StoreSettings & StoreParts & { readonly clock: Clock }): Promise<Store> {
  const store = new SqliteStore({ file, durability }, clock, parts);
  try {
    return await store.open();
  } catch (error) {
    await store.close().catch(() => null);
    throw error;
  }
}
