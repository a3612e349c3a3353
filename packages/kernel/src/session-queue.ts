import { errors } from '@palimpsest/contracts';
import type { SessionId } from '@palimpsest/contracts';
import type { LeasedJournal } from './journal.ts';

/** One thing after the other: turns, verbs and each call of a host's own loop. Nothing that runs in it may wait for it. */
export class SessionQueue {
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  private readonly session: SessionId;
  private readonly journal: LeasedJournal;

  constructor(session: SessionId, journal: LeasedJournal) {
    this.session = session;
    this.journal = journal;
  }

  /** Rejects with SESSION_CLOSED once closed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) return Promise.reject(errors.sessionClosed(this.session));
    const next = this.last.then(work, work);
    this.last = next.catch(() => undefined);
    return next;
  }

  /** The same under the lease. */
  held<T>(work: () => Promise<T>): Promise<T> {
    return this.run(() => this.underLease(work));
  }

  /** Takes nothing more, and waits for what was taken; then runs `last` under the lease. False: it was closed before. */
  async close(last: () => Promise<void>): Promise<boolean> {
    if (this.closed) return false;
    this.closed = true;
    await this.last;
    await this.underLease(last).catch(() => undefined);
    return true;
  }

  /** @throws SESSION_CLOSED. */
  assertOpen(): void {
    if (this.closed) throw errors.sessionClosed(this.session);
  }

  private async underLease<T>(work: () => Promise<T>): Promise<T> {
    const hold = await this.journal.hold();
    try {
      return await work();
    } finally {
      await hold.release();
    }
  }
}
