import type { Artifacts, Clock, Leases, Log, Search, Store } from '@palimpsest/contracts';
import { ManualClock } from '../manual-clock.ts';
import { MemoryArtifacts } from './memory-artifacts.ts';
import { MemoryLeases } from './memory-leases.ts';
import { MemoryLog } from './memory-log.ts';
import { MemorySearch } from './memory-search.ts';
import { MemoryState } from './state.ts';

/** A whole store in memory. Passes the store contract suite; what it returns is frozen. Its leases run by the given clock. */
export class MemoryStore implements Store {
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  readonly search: Search;
  readonly #state: MemoryState;

  constructor(options: { readonly clock?: Clock } = {}) {
    this.#state = new MemoryState(options.clock ?? new ManualClock());
    this.log = new MemoryLog(this.#state);
    this.artifacts = new MemoryArtifacts(this.#state);
    this.leases = new MemoryLeases(this.#state);
    this.search = new MemorySearch(this.#state);
  }

  /** Everything after it is refused with STORE_CLOSED. Idempotent. */
  async close(): Promise<void> {
    this.#state.closed = true;
  }
}
