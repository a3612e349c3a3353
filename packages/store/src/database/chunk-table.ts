import type * as Crypto from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { pack, unpack, type Packed } from './codec.ts';

/** Loaded where a text is cut up: a short command that writes none would wait for it. */
const crypto = (): typeof Crypto => process.getBuiltinModule('node:crypto');

/** UTF-16 units in one chunk. */
const CHUNK_UNITS = 1 << 16;

/** Long texts in pieces, equal pieces stored once. `owner` is the key of the entry or artifact that the text belongs to. */
export class ChunkTable {
  readonly #find: Sqlite.Statement<[Buffer], number>;
  readonly #add: Sqlite.Statement<[Buffer, number, string | Buffer], unknown>;
  readonly #link: Sqlite.Statement<[number, number, number | bigint], unknown>;
  readonly #read: Sqlite.Statement<
    [{ readonly owner: number; readonly start: number; readonly end: number }],
    Packed & { readonly at: number }
  >;

  constructor(database: Sqlite.Database) {
    this.#find = database.prepare<[Buffer], number>('SELECT number FROM chunks WHERE hash = ?').pluck();
    this.#add = database.prepare('INSERT INTO chunks (hash, codec, body) VALUES (?, ?, ?)');
    this.#link = database.prepare('INSERT INTO pieces (owner, at, chunk) VALUES (?, ?, ?)');
    this.#read = database.prepare(
      `SELECT at, codec, body FROM pieces JOIN chunks ON number = chunk
       WHERE owner = :owner AND at >= (SELECT max(at) FROM pieces WHERE owner = :owner AND at <= :start) AND at < :end ORDER BY at`,
    );
  }

  /** Inside the caller's transaction. */
  write(owner: number, text: string): void {
    let at = 0;
    while (at < text.length) {
      const end = chunkEnd(text, at);
      const chunk = text.slice(at, end);
      const hash = crypto().createHash('sha256').update(Buffer.from(chunk, 'utf16le')).digest();
      this.#link.run(owner, at, this.#find.get(hash) ?? this.#store(hash, chunk));
      at = end;
    }
  }

  read(owner: number): string {
    return this.range(owner, 0, Number.MAX_SAFE_INTEGER);
  }

  /** UTF-16 units from `start` up to `end`; reads only the chunks that hold them. */
  range(owner: number, start: number, end: number): string {
    const rows = this.#read.all({ owner, start, end });
    const first = rows[0]?.at ?? 0;
    return rows
      .map(unpack)
      .join('')
      .slice(start - first, end - first);
  }

  #store(hash: Buffer, chunk: string): number | bigint {
    const { codec, body } = pack(chunk);
    return this.#add.run(hash, codec, body).lastInsertRowid;
  }
}

/** Never between the halves of a surrogate pair, so that each chunk is text of its own. */
function chunkEnd(text: string, start: number): number {
  const end = Math.min(start + CHUNK_UNITS, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
