import type { Clock, Ids, Lease, LeaseHeld, Leases, SessionId } from '@palimpsest/contracts';
import { assertTtl } from './bounds.ts';
import type { Link } from './link.ts';

export class SqliteLeases implements Leases {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #isGone: Ids['isGone'];

  constructor(link: Link, clock: Clock, isGone: Ids['isGone'] = () => false) {
    this.#link = link;
    this.#clock = clock;
    this.#isGone = isGone;
  }

  async acquire(session: SessionId, owner: string, ttlMs: number): Promise<Lease | LeaseHeld> {
    assertTtl(ttlMs);
    const first = await this.#link.call('acquire', session, owner, ttlMs, this.#clock.now());
    if (!('heldBy' in first) || !this.#isGone(first.heldBy)) return first;
    // An owner is named once: whoever took the lease over meanwhile is another one, and keeps it.
    await this.#link.call('forget', session, first.heldBy);
    return await this.#link.call('acquire', session, owner, ttlMs, this.#clock.now());
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease | null> {
    assertTtl(ttlMs);
    return await this.#link.call('renew', lease, ttlMs, this.#clock.now());
  }

  async release(lease: Lease): Promise<void> {
    await this.#link.call('release', lease);
  }
}
