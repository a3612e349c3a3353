import { CLOCK, errors, EVENTS, IDS, LEASES, messageOf, SESSION_ID, sessionToken } from '@palimpsest/contracts';
import type { Clock, Events, Ids, Lease, Leases, SessionId } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';

const TTL_MS = 60_000;
const RENEW_MS = 20_000;

/** The session's lease: taken, renewed while it is held, given back. */
export class SessionLease {
  /** It could not be renewed: whoever writes now would write beside its next holder. */
  isLost = false;
  private lease: Lease | null = null;
  /** Of the lease that was held last. */
  private lastFence: number | null = null;
  private stopRenewing: (() => void) | null = null;
  private readonly owner: string;

  constructor(
    @inject(SESSION_ID) private readonly session: SessionId,
    @inject(LEASES) private readonly leases: Leases,
    @inject(EVENTS) private readonly events: Events,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(IDS) ids: Ids,
  ) {
    this.owner = ids.owner();
  }

  /** Of the lease that is held; null: none is. */
  get fence(): number | null {
    return this.lease?.fence ?? null;
  }

  /** `alone`: nobody held it since it was held here. @throws SESSION_BUSY. */
  async take(): Promise<{ readonly fence: number; readonly alone: boolean }> {
    const got = await this.leases.acquire(this.session, this.owner, TTL_MS);
    if ('heldBy' in got) throw errors.sessionBusy(this.session, got.heldBy, got.untilMs);
    const alone = this.lastFence !== null && got.fence === this.lastFence + 1;
    this.lease = got;
    this.lastFence = got.fence;
    this.isLost = false;
    this.stopRenewing = this.clock.every(RENEW_MS, () => void this.renew());
    return { fence: got.fence, alone };
  }

  async giveBack(): Promise<void> {
    this.stopRenewing?.();
    this.stopRenewing = null;
    const lease = this.lease;
    this.lease = null;
    if (lease === null) return;
    // What was written stands; a lease that cannot be given back runs out by itself.
    await this.leases.release(lease).catch((error: unknown) => {
      this.events.emit('lease.lost', { session: this.session, turn: null, why: messageOf(error) });
    });
  }

  /** A lease-store error means: do not write. The lease counts as lost, and the next append is refused. */
  private async renew(): Promise<void> {
    const lease = this.lease;
    if (lease === null) return;
    const next = await this.leases.renew(lease, TTL_MS).catch(() => null);
    if (this.lease !== lease) return;
    this.isLost = next === null;
    if (next === null) this.events.emit('lease.lost', { session: this.session, turn: null, why: 'the lease could not be renewed' });
    else this.lease = next;
  }
}

export const SESSION_LEASE = sessionToken<SessionLease>('kernel.session-lease');
