import Sqlite from 'better-sqlite3';
import type { EntryKind } from '@palimpsest/contracts';
import type { DraftRow, EntryPage } from '../worker/protocol.ts';
import { ALL_KINDS, COLUMNS, kindMask, packBody, packTime, unpackBody, type EntryRow } from './entry-row.ts';
import type { ChunkTable } from './chunk-table.ts';
import { KINDS } from './kinds.ts';
import { PageWriter } from './page-writer.ts';
import type { SessionRow } from './session-table.ts';
import { Fault } from './fault.ts';

/** A page of entries ends after so many characters of JSON: what the main thread parses at a stretch, in a few milliseconds. */
const PAGE_CHARACTERS = 1 << 19;
/** Bodies above this many bytes of JSON lie in pieces. */
const LARGE_BYTES = 256 * 1024;
/** So many rows of another branch are passed over before looking the next one up. */
const MOST_SKIPPED = 16;

const FIRST_BATCH = 16;
const LARGEST_BATCH = 512;

interface At {
  readonly kinds: number;
  readonly session: number;
  readonly seq: number;
}

export class EntryTable {
  readonly #chunks: ChunkTable;
  readonly #add: Sqlite.Statement<
    [number, number, string, number | null, number, number | string | null, number, number | string, number, string | Buffer | null],
    unknown
  >;
  readonly #seqOf: Sqlite.Statement<[string, number], number>;
  readonly #idOf: Sqlite.Statement<[number, number], string>;
  readonly #parentOf: Sqlite.Statement<[number, number], number | null>;
  readonly #stretch: Sqlite.Statement<[At & { readonly most: number }], EntryRow>;
  readonly #byId: Sqlite.Statement<[Omit<At, 'seq'> & { readonly id: string }], EntryRow>;
  readonly #after: Sqlite.Statement<[At], EntryRow>;

  constructor(database: Sqlite.Database, chunks: ChunkTable) {
    this.#chunks = chunks;
    this.#add = database.prepare(
      'INSERT INTO entries (key, id, parent, depth, turn, kind, time, tokens, body) VALUES ((? << 31) + ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#seqOf = database.prepare<[string, number], number>('SELECT key & 0x7fffffff FROM entries WHERE id = ? AND key >> 31 = ?').pluck();
    this.#idOf = database.prepare<[number, number], string>('SELECT id FROM entries WHERE key = (? << 31) + ?').pluck();
    this.#parentOf = database.prepare<[number, number], number | null>('SELECT parent FROM entries WHERE key = (? << 31) + ?').pluck();
    this.#stretch = database
      .prepare<[At & { readonly most: number }], EntryRow>(
        `SELECT ${COLUMNS} FROM entries WHERE key <= (:session << 31) + :seq AND key > (:session << 31) ORDER BY key DESC LIMIT :most`,
      )
      .raw();
    this.#byId = database
      .prepare<[Omit<At, 'seq'> & { readonly id: string }], EntryRow>(
        `SELECT ${COLUMNS} FROM entries WHERE id = :id AND key >> 31 = :session`,
      )
      .raw();
    this.#after = database
      .prepare<[At], EntryRow>(
        `SELECT ${COLUMNS} FROM entries WHERE key > (:session << 31) + :seq AND key < ((:session + 1) << 31) ORDER BY key`,
      )
      .raw();
  }

  /** Inside the caller's transaction. @throws LOG_ID_TAKEN. */
  append(session: SessionRow, rows: readonly DraftRow[]): void {
    const written = new Map<string, number>();
    let parent = session.leaf;
    let depth = session.leafDepth === null ? 0 : session.leafDepth + 1;
    for (const [index, row] of rows.entries()) {
      const seq = session.lastSeq + index + 1;
      written.set(row.id, seq);
      const turn = row.turn === null ? null : (written.get(row.turn) ?? this.seqOf(session.number, row.turn) ?? row.turn);
      this.#insert(session.number, seq, row, { parent, depth, turn });
      parent = seq;
      depth += 1;
    }
  }

  /** Null: the session has no such entry. */
  seqOf(session: number, id: string): number | null {
    return this.#seqOf.get(id, session) ?? null;
  }

  /** By `seq`; null: a root. */
  parentOf(session: number, seq: number): number | null {
    return this.#parentOf.get(session, seq) ?? null;
  }

  idOf(session: number, seq: number): string | null {
    return this.#idOf.get(session, seq) ?? null;
  }

  /** The path that ends in `from`, newest first: at most `limit` entries of these kinds, and about a page. */
  walk(session: SessionRow, from: number | null, limit: number, kinds: readonly EntryKind[] | undefined): EntryPage {
    const page = new PageWriter(session, this.#reader);
    const mask = kindMask(kinds);
    let next = from;
    while (next !== null && page.entries < limit && page.characters < PAGE_CHARACTERS) next = this.#walkStretch(page, mask, limit, next);
    return page.done();
  }

  /** Runs down a stretch in which the path's entries lie close together; where another branch lies between, it stops there. */
  #walkStretch(page: PageWriter, mask: number, limit: number, from: number): number | null {
    let next: number | null = from;
    let skipped = 0;
    const rows = this.#stretch.all({ kinds: mask, session: page.session.number, seq: from, most: batch(page) });
    if (rows[0]?.[0] !== from) throw new Fault('storeDamaged', `session ${page.session.id} lacks its entry ${String(from)}`);
    for (const row of rows) {
      if (row[0] !== next) {
        if ((skipped += 1) > MOST_SKIPPED) return next;
        continue;
      }
      skipped = 0;
      next = parentIn(row, page.session.id);
      page.pass(row, ((mask >> row[5]) & 1) === 1);
      if (next === null || page.entries >= limit || page.characters >= PAGE_CHARACTERS) return next;
    }
    return next;
  }

  /** Pages, in the order asked; unknown ids are left out. */
  get(session: SessionRow, ids: readonly string[]): EntryPage[] {
    const pages: EntryPage[] = [];
    let page = new PageWriter(session, this.#reader);
    for (const id of ids) {
      const row = this.#byId.get({ kinds: ALL_KINDS, id, session: session.number });
      if (row === undefined) continue;
      page.pass(row, true);
      if (page.characters < PAGE_CHARACTERS) continue;
      pages.push(page.done());
      page = new PageWriter(session, this.#reader);
    }
    return page.entries === 0 ? pages : [...pages, page.done()];
  }

  /** Every branch, behind `after`: at most `limit` entries, and about a page. */
  inOrder(session: SessionRow, after: number, limit: number): EntryPage {
    const page = new PageWriter(session, this.#reader);
    for (const row of this.#after.iterate({ kinds: ALL_KINDS, session: session.number, seq: after })) {
      page.pass(row, true);
      if (page.entries >= limit || page.characters >= PAGE_CHARACTERS) break;
    }
    return page.done();
  }

  /** Kind and body, oldest first, for the word index. */
  *after(session: number, seq: number): Generator<{ readonly seq: number; readonly kind: EntryKind; readonly body: string }> {
    for (const row of this.#after.iterate({ kinds: ALL_KINDS, session, seq }))
      yield { seq: row[0], kind: KINDS[row[5]] ?? 'tombstone', body: this.#bodyOf(session, row) };
  }

  /** Kind and body of one entry. */
  one(session: number, seq: number): { readonly id: string; readonly kind: EntryKind; readonly body: string } | null {
    const row = this.#stretch.get({ kinds: ALL_KINDS, session, seq, most: 1 });
    return row?.[0] === seq ? { id: row[1], kind: KINDS[row[5]] ?? 'tombstone', body: this.#bodyOf(session, row) } : null;
  }

  readonly #reader = {
    body: (session: number, row: EntryRow): string => this.#bodyOf(session, row),
    id: (session: number, seq: number): string | null => this.idOf(session, seq),
  };

  #bodyOf(session: number, row: EntryRow): string {
    return row[8] === null ? this.#chunks.read(session * 2 ** 31 + row[0]) : unpackBody(row[8]);
  }

  #insert(
    session: number,
    seq: number,
    row: DraftRow,
    place: { readonly parent: number | null; readonly depth: number; readonly turn: number | string | null },
  ): void {
    const large = row.body.length * 3 > LARGE_BYTES && Buffer.byteLength(row.body) > LARGE_BYTES;
    const body = large ? null : packBody(row.kind, row.body);
    try {
      this.#add.run(
        session,
        seq,
        row.id,
        place.parent,
        place.depth,
        place.turn,
        KINDS.indexOf(row.kind),
        packTime(row.time),
        row.tokens,
        body,
      );
    } catch (error) {
      throw error instanceof Sqlite.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE' ? new Fault('logIdTaken', row.id) : error;
    }
    if (large) this.#chunks.write(session * 2 ** 31 + seq, row.body);
  }
}

/** A parent is older than its child; else no path would end. @throws STORE_DAMAGED. */
function parentIn([seq, , parent]: EntryRow, session: string): number | null {
  if (parent !== null && parent >= seq)
    throw new Fault('storeDamaged', `entry ${String(seq)} of session ${session} stands before its parent`);
  return parent;
}

/** Rows read at a time, which is faster than one by one: few at first, then as many as the page is likely to take. */
function batch({ entries, characters }: PageWriter): number {
  if (entries < FIRST_BATCH) return FIRST_BATCH;
  return Math.min(LARGEST_BATCH, 1 + Math.ceil((PAGE_CHARACTERS - characters) / (characters / entries)));
}
