import type Sqlite from 'better-sqlite3';
import type { Artifact, ArtifactInfo, Hit, Lease, LeaseHeld, Page, SessionId, SessionRecord, StoreSettings } from '@palimpsest/contracts';
import type { Appended, AppendRows, EntryTuple, StoreOperations } from '../worker/protocol.ts';
import { ArtifactTable } from './artifact-table.ts';
import { ChunkTable } from './chunk-table.ts';
import { connect } from './connection.ts';
import { EntryTable } from './entry-table.ts';
import { LeaseTable } from './lease-table.ts';
import { SessionDrop } from './session-drop.ts';
import { recordOf, SessionTable, type SessionRow } from './session-table.ts';
import { WordIndex } from './word-index.ts';
import { Fault } from './fault.ts';

type Durability = 'NORMAL' | 'FULL';

/** Each operation of the store, in its transaction. Every read that a write depends on is inside an immediate one. */
export class Database implements StoreOperations {
  readonly #database: Sqlite.Database;
  readonly #durable: Durability;
  readonly #immediate: Sqlite.Transaction<(run: () => void) => void>;
  readonly #sessions: SessionTable;
  readonly #entries: EntryTable;
  readonly #artifacts: ArtifactTable;
  readonly #leases: LeaseTable;
  readonly #words: WordIndex;
  #synchronous: Durability | null = null;
  #unindexed = 0;

  constructor(settings: StoreSettings) {
    this.#database = connect(settings);
    this.#durable = settings.durability === 'full' ? 'FULL' : 'NORMAL';
    this.#immediate = this.#database.transaction((run: () => void) => run());
    const chunks = new ChunkTable(this.#database);
    this.#sessions = new SessionTable(this.#database);
    this.#entries = new EntryTable(this.#database, chunks);
    this.#artifacts = new ArtifactTable(this.#database, this.#sessions, chunks);
    this.#leases = new LeaseTable(this.#database);
    this.#words = new WordIndex(this.#database, this.#entries, this.#artifacts);
  }

  /** How many entries this worker wrote since it last brought the index up to date. */
  get unindexed(): number {
    return this.#unindexed;
  }

  open(): null {
    return null;
  }

  openSession(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): SessionRecord {
    const known = this.#sessions.find(session.id);
    return recordOf(known ?? this.#write('NORMAL', () => this.#sessions.open(session)));
  }

  session(id: SessionId): SessionRecord | null {
    const row = this.#sessions.find(id);
    return row === null ? null : recordOf(row);
  }

  sessions(limit: number, after: SessionId | null): readonly SessionRecord[] {
    return this.#sessions.list(limit, after).map(recordOf);
  }

  append(write: AppendRows, nowMs: number): Appended {
    const appended = this.#write(write.durable ? this.#durable : 'NORMAL', () => {
      const session = this.#sessions.get(write.session);
      this.#leases.assertFence(write.session, write.fence, nowMs);
      if (session.leafId !== write.leaf) throw new Fault('logLeafMoved', write.session, write.leaf, session.leafId);
      this.#entries.append(session, write.rows);
      this.#artifacts.put(write.artifacts);
      const newest = write.rows.at(-1);
      if (newest !== undefined) this.#sessions.advance(session.number, session.lastSeq + write.rows.length, newest.time);
      return { firstSeq: session.lastSeq + 1, firstDepth: session.leafDepth === null ? 0 : session.leafDepth + 1 };
    });
    this.#unindexed += write.rows.length;
    return appended;
  }

  branch(session: string, leaf: string, page: Page): readonly EntryTuple[] {
    const row = this.#sessions.get(session);
    const newest = this.#seqOf(row, leaf);
    const from = page.before === undefined ? newest : this.#entries.parentOf(row.number, this.#seqOf(row, page.before));
    return this.#entries.walk(row, from, page.limit, page.kinds);
  }

  get(session: string, ids: readonly string[]): readonly (readonly EntryTuple[])[] {
    return this.#entries.get(this.#sessions.get(session), ids);
  }

  moveLeaf(session: string, to: string | null, fence: number | null, nowMs: number): null {
    return this.#write('NORMAL', () => {
      const row = this.#sessions.get(session);
      this.#leases.assertFence(session, fence, nowMs);
      this.#sessions.moveLeaf(row.number, to === null ? null : this.#seqOf(row, to));
      return null;
    });
  }

  /** What is dropped is overwritten in the file as well, and the log of writes that still holds it is emptied unless others read from it. */
  drop(session: string): null {
    this.#database.pragma('secure_delete = ON');
    try {
      this.#write(this.#durable, () => {
        const row = this.#sessions.find(session);
        const drop = new SessionDrop(this.#database);
        if (row !== null) drop.run(row);
        drop.lease(session);
      });
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
      return null;
    } finally {
      this.#database.pragma('secure_delete = OFF');
    }
  }

  putArtifacts(artifacts: readonly Artifact[]): null {
    return this.#write('NORMAL', () => {
      this.#artifacts.put(artifacts);
      return null;
    });
  }

  getArtifact(id: string, range: { readonly offset: number; readonly length: number } | null): Artifact | null {
    return this.#artifacts.get(id, range);
  }

  listArtifacts(filter: Parameters<StoreOperations['listArtifacts']>[0]): readonly ArtifactInfo[] {
    return this.#artifacts.list(filter);
  }

  acquire(session: SessionId, owner: string, ttlMs: number, nowMs: number): Lease | LeaseHeld {
    return this.#write('NORMAL', () => this.#leases.acquire(session, owner, ttlMs, nowMs));
  }

  renew(lease: Lease, ttlMs: number, nowMs: number): Lease | null {
    return this.#write('NORMAL', () => this.#leases.renew(lease, ttlMs, nowMs));
  }

  release(lease: Lease): null {
    return this.#write('NORMAL', () => {
      this.#leases.release(lease);
      return null;
    });
  }

  query(text: string, session: SessionId | null, limit: number): readonly Hit[] {
    while (this.indexSome());
    const row = session === null ? null : this.#sessions.find(session);
    return session !== null && row === null ? [] : this.#words.query(text, row, limit);
  }

  /** One pass of indexing. False: the index is up to date. */
  indexSome(): boolean {
    const worked = this.#write('NORMAL', () => this.#words.pass());
    if (!worked) this.#unindexed = 0;
    return worked;
  }

  close(): null {
    this.#database.close();
    return null;
  }

  #seqOf(session: SessionRow, id: string): number {
    const seq = this.#entries.seqOf(session.number, id);
    if (seq === null) throw new Fault('logEntryUnknown', session.id, id);
    return seq;
  }

  #write<T>(durability: Durability, run: () => T): T {
    if (this.#synchronous !== durability) this.#database.pragma(`synchronous = ${durability}`);
    this.#synchronous = durability;
    const answers: T[] = [];
    this.#immediate.immediate(() => void answers.push(run()));
    return answers[0] as T;
  }
}
