import type { StoreSettings } from '@palimpsest/contracts';
import type { StoreOperations } from '../worker/protocol.ts';
import { connect } from './connection.ts';
import { LogOperations } from './log-operations.ts';
import { SessionDrop } from './session-drop.ts';
import { tablesOf } from './tables.ts';
import { Transactions } from './transactions.ts';

export interface OpenDatabase {
  readonly operations: StoreOperations;
  /** How many entries were written here since the word index was last brought up to date. */
  unindexed(): number;
  /** One pass of indexing. False: the index is up to date. */
  indexSome(): boolean;
}

/** @throws STORE_OPEN_FAILED, STORE_TOO_NEW, as faults. */
export function openDatabase(settings: StoreSettings): OpenDatabase {
  const database = connect(settings);
  const transactions = new Transactions(database, settings.durability);
  const tables = tablesOf(database);
  const { sessions, artifacts, leases, words } = tables;
  const log = new LogOperations(tables, transactions, new SessionDrop(database));
  const ordinary = <T>(run: () => T): T => transactions.write('ordinary', run);
  const nothing = (run: () => void): null => ordinary(() => (run(), null));
  const indexSome = (): boolean => ordinary(() => words.pass());

  const operations: StoreOperations = {
    open: () => null,
    openSession: (session) => log.openSession(session),
    begin: (session, fence, nowMs) => log.begin(session, fence, nowMs),
    finish: (session, fence, nowMs) => log.finish(session, fence, nowMs),
    session: (id) => log.session(id),
    sessions: (limit, after) => log.sessions(limit, after),
    append: (write, nowMs) => log.append(write, nowMs),
    flush: () => log.flush(),
    branch: (session, leaf, page) => log.branch(session, leaf, page),
    entries: (session, after, limit) => log.entries(session, after, limit),
    get: (session, ids) => log.get(session, ids),
    moveLeaf: (session, to, fence, nowMs) => log.moveLeaf(session, to, fence, nowMs),
    drop: (session, fence, nowMs) => log.drop(session, fence, nowMs),
    putArtifacts: (put) => nothing(() => artifacts.put(put)),
    getArtifact: (id, range) => artifacts.get(id, range),
    listArtifacts: (filter) => artifacts.list(filter),
    acquire: (session, owner, ttlMs, nowMs) => ordinary(() => leases.acquire(session, owner, ttlMs, nowMs)),
    renew: (lease, ttlMs, nowMs) => ordinary(() => leases.renew(lease, ttlMs, nowMs)),
    release: (lease) => nothing(() => leases.release(lease)),
    forget: (session, owner) => nothing(() => leases.forget(session, owner)),
    query: (text, session, limit) => {
      while (indexSome());
      const row = session === null ? null : sessions.find(session);
      return session !== null && row === null ? [] : words.query(text, row, limit);
    },
    close: () => (database.close(), null),
  };
  return { operations, unindexed: () => words.behind, indexSome };
}
