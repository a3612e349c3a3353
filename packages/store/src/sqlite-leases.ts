import type { Clock, Lease, LeaseHeld, Leases, SessionId } from '@palimpsest/contracts';
import { assertTtl } from './bounds.ts';
import type { Link } from './link.ts';

export class SqliteLeases implements Leases {
  readonly #link: Link;
  readonly #clock: Clock;

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  async acquire(session: SessionId, owner: string, ttlMs: number): Promise<Lease | LeaseHeld> {
    assertTtl(ttlMs);
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
