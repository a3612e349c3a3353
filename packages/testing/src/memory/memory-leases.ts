import type { Lease, LeaseHeld, Leases, SessionId } from '@palimpsest/contracts';
import { assertTtl } from './bounds.ts';
import type { MemoryLease, MemoryState } from './state.ts';

export class MemoryLeases implements Leases {
  readonly #state: MemoryState;

  constructor(state: MemoryState) {
    this.#state = state;
  }

  async acquire(session: SessionId, owner: string, ttlMs: number): Promise<Lease | LeaseHeld> {
    this.#state.assertOpen();
    assertTtl(ttlMs);
    const nowMs = this.#state.nowMs();
    const held = this.#state.leases.get(session) ?? { owner: null, fence: 0, expiresAtMs: 0 };
    if (held.owner !== null && held.owner !== owner && held.expiresAtMs > nowMs) return { heldBy: held.owner, untilMs: held.expiresAtMs };
    const taken = { owner, fence: held.owner === owner ? held.fence : held.fence + 1, expiresAtMs: nowMs + ttlMs };
    this.#state.leases.set(session, taken);
    return { session, ...taken };
  }

  async renew(lease: Lease, ttlMs: number): Promise<Lease | null> {
    this.#state.assertOpen();
    assertTtl(ttlMs);
    const held = this.#held(lease);
    if (held === null) return null;
    held.expiresAtMs = this.#state.nowMs() + ttlMs;
    return { ...lease, expiresAtMs: held.expiresAtMs };
  }

  async release(lease: Lease): Promise<void> {
    this.#state.assertOpen();
    const held = this.#held(lease);
    if (held !== null) held.owner = null;
  }

  #held(lease: Lease): MemoryLease | null {
    const held = this.#state.leases.get(lease.session);
    return held?.owner === lease.owner && held.fence === lease.fence ? held : null;
  }
}
