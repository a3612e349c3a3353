import type Sqlite from 'better-sqlite3';
import type { Lease, LeaseHeld, SessionId } from '@palimpsest/contracts';
import { Fault } from './fault.ts';

/** `owner` null: released. The row stays, so that the fence goes on rising. */
interface LeaseRow {
  readonly owner: string | null;
  readonly fence: number;
  readonly expiresAtMs: number;
}

/** All methods run inside the caller's transaction. */
export class LeaseTable {
  readonly #get: Sqlite.Statement<[string], LeaseRow>;
  readonly #put: Sqlite.Statement<[string, string, number, number], unknown>;
  readonly #renew: Sqlite.Statement<[number, string, string, number], unknown>;
  readonly #forget: Sqlite.Statement<[string, string], unknown>;
  readonly #release: Sqlite.Statement<[string, string, number], unknown>;

  constructor(database: Sqlite.Database) {
    this.#get = database.prepare('SELECT owner, fence, expires_at_ms AS expiresAtMs FROM leases WHERE session = ?');
    this.#put = database.prepare('INSERT OR REPLACE INTO leases (session, owner, fence, expires_at_ms) VALUES (?, ?, ?, ?)');
    this.#renew = database.prepare('UPDATE leases SET expires_at_ms = ? WHERE session = ? AND owner = ? AND fence = ?');
    this.#forget = database.prepare('UPDATE leases SET owner = NULL WHERE session = ? AND owner = ?');
    this.#release = database.prepare('UPDATE leases SET owner = NULL WHERE session = ? AND owner = ? AND fence = ?');
  }

  acquire(session: SessionId, owner: string, ttlMs: number, nowMs: number): Lease | LeaseHeld {
    const held = this.#get.get(session);
    if (held !== undefined && held.owner !== null && held.owner !== owner && held.expiresAtMs > nowMs)
      return { heldBy: held.owner, untilMs: held.expiresAtMs };
    const fence = held === undefined ? 1 : held.owner === owner ? held.fence : held.fence + 1;
    this.#put.run(session, owner, fence, nowMs + ttlMs);
    return { session, owner, fence, expiresAtMs: nowMs + ttlMs };
  }

  /** Also late, as long as nobody took it over. */
  renew(lease: Lease, ttlMs: number, nowMs: number): Lease | null {
    const expiresAtMs = nowMs + ttlMs;
    return this.#renew.run(expiresAtMs, lease.session, lease.owner, lease.fence).changes === 1 ? { ...lease, expiresAtMs } : null;
  }

  release(lease: Lease): void {
    this.#release.run(lease.session, lease.owner, lease.fence);
  }

  forget(session: SessionId, owner: string): void {
    this.#forget.run(session, owner);
  }

  /** @throws LOG_FENCE_STALE. Without a fence only where no lease runs; an expired lease that nobody took over still lets its holder write. */
  assertFence(session: string, fence: number | null, nowMs: number): void {
    const held = this.#get.get(session);
    const free = held === undefined || held.owner === null || held.expiresAtMs <= nowMs;
    const allowed = fence === null ? free : held !== undefined && held.owner !== null && held.fence === fence;
    if (!allowed) throw new Fault('logFenceStale', session, fence, held?.fence ?? 0);
  }
}
