import type Sqlite from 'better-sqlite3';
import type { SessionRecord } from '@palimpsest/contracts';
import { Fault } from './fault.ts';

export interface SessionRow {
  readonly number: number;
  readonly id: SessionRecord['id'];
  readonly name: string | null;
  readonly parentSession: string | null;
  readonly parentEntry: string | null;
  readonly created: string;
  readonly updated: string;
  readonly format: number;
  /** Of the leaf, by `seq`. */
  readonly leaf: number | null;
  readonly leafId: SessionRecord['leaf'];
  readonly leafDepth: number | null;
  readonly lastSeq: number;
  readonly filledUnder: number | null;
  readonly filled: 0 | 1;
}

/** Two look-ups: as a join, which SQLite may plan anew each time it is run, they take ten times as long. */
const OF_LEAF = 'FROM entries WHERE key = (number << 31) + leaf';
const SELECT = `
  SELECT number, id, name, parent_session AS parentSession, parent_entry AS parentEntry, created, updated, format, leaf,
    (SELECT id ${OF_LEAF}) AS leafId, (SELECT depth ${OF_LEAF}) AS leafDepth, last_seq AS lastSeq, filled_under AS filledUnder, filled
  FROM sessions`;
/** A write by anybody but the one who fills it ends that. */
const KEPT = 'filled_under = CASE WHEN filled_under = ? THEN filled_under END';
const FORMAT = 1;

export class SessionTable {
  readonly #byId: Sqlite.Statement<[string], SessionRow>;
  readonly #before: Sqlite.Statement<[number, number], SessionRow>;
  readonly #add: Sqlite.Statement<[string, string | null, string | null, string | null, string, string, number], unknown>;
  readonly #begin: Sqlite.Statement<[number, number], unknown>;
  readonly #finish: Sqlite.Statement<[number, number], unknown>;
  readonly #advance: Sqlite.Statement<[number, number, string, number | null, number], unknown>;
  readonly #move: Sqlite.Statement<[number | null, number | null, number], unknown>;

  constructor(database: Sqlite.Database) {
    this.#byId = database.prepare(`${SELECT} WHERE id = ?`);
    this.#before = database.prepare(`${SELECT} WHERE number < ? ORDER BY number DESC LIMIT ?`);
    this.#add = database.prepare(
      'INSERT INTO sessions (id, name, parent_session, parent_entry, created, updated, format) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    this.#begin = database.prepare('UPDATE sessions SET filled_under = ?, filled = 0 WHERE number = ?');
    this.#finish = database.prepare('UPDATE sessions SET filled = 1 WHERE number = ? AND filled_under = ?');
    this.#advance = database.prepare(`UPDATE sessions SET leaf = ?, last_seq = ?, updated = ?, ${KEPT} WHERE number = ?`);
    this.#move = database.prepare(`UPDATE sessions SET leaf = ?, ${KEPT} WHERE number = ?`);
  }

  find(id: string): SessionRow | null {
    return this.#byId.get(id) ?? null;
  }

  /** @throws LOG_SESSION_UNKNOWN. */
  get(id: string): SessionRow {
    const row = this.find(id);
    if (row === null) throw new Fault('logSessionUnknown', id);
    return row;
  }

  /** Newest record first. */
  list(limit: number, after: string | null): SessionRow[] {
    return this.#before.all(after === null ? Number.MAX_SAFE_INTEGER : this.get(after).number, limit);
  }

  open({ id, name, parent, created }: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): SessionRow {
    this.#add.run(id, name, parent?.session ?? null, parent?.entry ?? null, created, created, FORMAT);
    return this.get(id);
  }

  begin(number: number, fence: number): void {
    this.#begin.run(fence, number);
  }

  finish(number: number, fence: number): void {
    this.#finish.run(number, fence);
  }

  /** The newest entry is the leaf now. */
  advance(number: number, seq: number, time: string, fence: number | null): void {
    this.#advance.run(seq, seq, time, fence, number);
  }

  moveLeaf(number: number, seq: number | null, fence: number | null): void {
    this.#move.run(seq, fence, number);
  }
}

export function recordOf(row: SessionRow): SessionRecord {
  const { id, name, created, format, updated } = row;
  const parent = row.parentSession === null || row.parentEntry === null ? null : { session: row.parentSession, entry: row.parentEntry };
  const filling = row.filledUnder === null ? null : row.filled === 1 ? 'done' : 'begun';
  return { id, name, parent, created, leaf: row.leafId, format, entries: row.lastSeq, updated, filling } as SessionRecord;
}
