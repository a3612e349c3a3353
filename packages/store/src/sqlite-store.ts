import type { Artifacts, Clock, Ids, Leases, Log, Search, Store } from '@palimpsest/contracts';
import type { Link } from './link.ts';
import { SqliteArtifacts } from './sqlite-artifacts.ts';
import { SqliteLeases } from './sqlite-leases.ts';
import { SqliteLog } from './sqlite-log.ts';
import { SqliteSearch } from './sqlite-search.ts';

export interface StoreParts {
  /** The way to the database. */
  readonly link: Link;
  readonly clock: Clock;
  /** Who can tell that the owner of a lease is gone. Default: nobody can. */
  readonly ids?: Pick<Ids, 'isGone'>;
}

/**
 * One SQLite file behind the link that leads to it. The file is opened with the first call, which then may also throw STORE_OPEN_FAILED
 * or STORE_TOO_NEW. Entries that it returns belong to all readers: nobody writes to them.
 */
export class SqliteStore implements Store {
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  readonly search: Search;
  readonly #link: Link;

  constructor({ link, clock, ids }: StoreParts) {
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
export async function openOver(parts: StoreParts): Promise<Store> {
  const store = new SqliteStore(parts);
  try {
    return await store.open();
  } catch (error) {
    await store.close().catch(() => null);
    throw error;
  }
}
