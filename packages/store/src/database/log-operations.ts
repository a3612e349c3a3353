import type { Page, SessionId, SessionRecord } from '@palimpsest/contracts';
import type { Appended, AppendRows, EntryPage } from '../worker/protocol.ts';
import { Fault } from './fault.ts';
import { recordOf, type SessionRow } from './session-table.ts';
import type { SessionDrop } from './session-drop.ts';
import type { Tables } from './tables.ts';
import type { Transactions } from './transactions.ts';

/** The log's operations. What a write depends on is read inside its transaction. */
export class LogOperations {
  readonly #tables: Tables;
  readonly #transactions: Transactions;
  readonly #drop: SessionDrop;

  constructor(tables: Tables, transactions: Transactions, drop: SessionDrop) {
    this.#tables = tables;
    this.#transactions = transactions;
    this.#drop = drop;
  }

  openSession(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): SessionRecord {
    const { sessions } = this.#tables;
    return recordOf(sessions.find(session.id) ?? this.#transactions.write('ordinary', () => sessions.open(session)));
  }

  begin(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>, fence: number, nowMs: number): SessionRecord {
    const { sessions, leases } = this.#tables;
    return this.#transactions.write('ordinary', () => {
      leases.assertFence(session.id, fence, nowMs);
      const { number, lastSeq } = sessions.open(session);
      if (lastSeq > 0) throw new Fault('sessionExists', session.id);
      sessions.begin(number, fence);
      return recordOf(sessions.get(session.id));
    });
  }

  finish(session: string, fence: number, nowMs: number): null {
    const { sessions, leases } = this.#tables;
    return this.#transactions.write('durable', () => {
      const { number } = sessions.get(session);
      leases.assertFence(session, fence, nowMs);
      sessions.finish(number, fence);
      return null;
    });
  }

  session(id: SessionId): SessionRecord | null {
    const row = this.#tables.sessions.find(id);
    return row === null ? null : recordOf(row);
  }

  sessions(limit: number, after: SessionId | null): readonly SessionRecord[] {
    return this.#tables.sessions.list(limit, after).map(recordOf);
  }

  append(write: AppendRows, nowMs: number): Appended {
    const { sessions, leases, entries, artifacts, words } = this.#tables;
    const appended = this.#transactions.write('ordinary', () => {
      const session = sessions.get(write.session);
      leases.assertFence(write.session, write.fence, nowMs);
      if (session.leafId !== write.leaf) throw new Fault('logLeafMoved', write.session, write.leaf, session.leafId);
      entries.append(session, write.rows);
      artifacts.put(write.artifacts);
      const newest = write.rows.at(-1);
      if (newest !== undefined) sessions.advance(session.number, session.lastSeq + write.rows.length, newest.time, write.fence);
      return { firstSeq: session.lastSeq + 1, firstDepth: session.leafDepth === null ? 0 : session.leafDepth + 1 };
    });
    words.behindBy(write.rows.length);
    return appended;
  }

  flush(): null {
    this.#transactions.flush();
    return null;
  }

  branch(session: string, leaf: string, page: Page): EntryPage {
    const { sessions, entries } = this.#tables;
    const row = sessions.get(session);
    const newest = this.#seqOf(row, leaf);
    const from = page.before === undefined ? newest : entries.parentOf(row.number, this.#seqOf(row, page.before));
    return entries.walk(row, from, page.limit, page.kinds);
  }

  entries(session: string, after: number, limit: number): EntryPage {
    const { sessions, entries } = this.#tables;
    return entries.inOrder(sessions.get(session), after, limit);
  }

  get(session: string, ids: readonly string[]): readonly EntryPage[] {
    return this.#tables.entries.get(this.#tables.sessions.get(session), ids);
  }

  moveLeaf(session: string, to: string | null, fence: number | null, nowMs: number): null {
    const { sessions, leases } = this.#tables;
    return this.#transactions.write('ordinary', () => {
      const row = sessions.get(session);
      leases.assertFence(session, fence, nowMs);
      sessions.moveLeaf(row.number, to === null ? null : this.#seqOf(row, to), fence);
      return null;
    });
  }

  drop(session: string, fence: number | null, nowMs: number): null {
    const { sessions, leases } = this.#tables;
    this.#transactions.erase(() => {
      leases.assertFence(session, fence, nowMs);
      const row = sessions.find(session);
      if (row !== null) this.#drop.run(row.number);
    });
    return null;
  }

  #seqOf(session: SessionRow, id: string): number {
    const seq = this.#tables.entries.seqOf(session.number, id);
    if (seq === null) throw new Fault('logEntryUnknown', session.id, id);
    return seq;
  }
}
