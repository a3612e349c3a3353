import type Sqlite from 'better-sqlite3';
import type { Artifact, ArtifactInfo, Json } from '@palimpsest/contracts';
import { pack, unpack } from './codec.ts';
import type { ChunkTable } from './chunk-table.ts';
import type { SessionTable } from './session-table.ts';

/** Bodies above this many UTF-16 units lie in pieces, so that a range of them can be read alone. */
const LARGE_UNITS = 1 << 16;
/** Kinds that nobody searches: what was sent or read anyway, and engines' own. */
const SILENT_KINDS: ReadonlySet<string> = new Set(['source', 'system_prompt', 'tool_schemas', 'engine_state']);

interface ArtifactRow {
  readonly number: number;
  readonly id: Artifact['id'];
  readonly kind: string;
  readonly session: Artifact['session'];
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly madeBy: string;
  readonly tokens: number;
  readonly bytes: number;
}
interface BodyRow {
  readonly codec: number;
  readonly body: string | Buffer | null;
}

const SELECT = `
  SELECT artifacts.number, artifacts.id, kind, sessions.id AS session, artifacts.first_seq AS firstSeq, artifacts.last_seq AS lastSeq, made_by AS madeBy, tokens, bytes
  FROM artifacts LEFT JOIN sessions ON sessions.number = artifacts.session`;

export class ArtifactTable {
  readonly #sessions: SessionTable;
  readonly #chunks: ChunkTable;
  readonly #numberOf: Sqlite.Statement<[string], number>;
  readonly #add: Sqlite.Statement<
    [string, string, number | null, number | null, number | null, string, number, number, number, string | Buffer | null, number],
    unknown
  >;
  readonly #hold: Sqlite.Statement<[number, number], unknown>;
  readonly #byId: Sqlite.Statement<[string], ArtifactRow>;
  readonly #byNumber: Sqlite.Statement<[number], ArtifactRow>;
  readonly #body: Sqlite.Statement<[number], BodyRow>;
  readonly #list: Sqlite.Statement<[{ readonly kind: string | null; readonly limit: number }], ArtifactRow>;
  readonly #listHeld: Sqlite.Statement<[{ readonly kind: string | null; readonly limit: number; readonly session: number }], ArtifactRow>;

  constructor(database: Sqlite.Database, sessions: SessionTable, chunks: ChunkTable) {
    this.#sessions = sessions;
    this.#chunks = chunks;
    this.#numberOf = database.prepare<[string], number>('SELECT number FROM artifacts WHERE id = ?').pluck();
    this.#add = database.prepare(
      'INSERT INTO artifacts (id, kind, session, first_seq, last_seq, made_by, tokens, bytes, codec, body, indexed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#hold = database.prepare('INSERT INTO holders (session, artifact) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#byId = database.prepare(`${SELECT} WHERE artifacts.id = ?`);
    this.#byNumber = database.prepare(`${SELECT} WHERE artifacts.number = ?`);
    this.#body = database.prepare('SELECT codec, body FROM artifacts WHERE number = ?');
    this.#list = database.prepare(`${SELECT} WHERE (:kind IS NULL OR kind = :kind) ORDER BY artifacts.number DESC LIMIT :limit`);
    this.#listHeld = database.prepare(
      `${SELECT} JOIN holders ON holders.artifact = artifacts.number WHERE holders.session = :session AND (:kind IS NULL OR kind = :kind) ORDER BY holders.artifact DESC LIMIT :limit`,
    );
  }

  /** Inside the caller's transaction. An id that exists keeps its body and gains a holder. @throws LOG_SESSION_UNKNOWN. */
  put(artifacts: readonly Artifact[]): void {
    for (const artifact of artifacts) {
      const session = artifact.session === null ? null : this.#sessions.get(artifact.session).number;
      const number = this.#numberOf.get(artifact.id) ?? this.#insert(artifact, session);
      if (session !== null) this.#hold.run(session, number);
    }
  }

  get(id: string, range: { readonly offset: number; readonly length: number } | null): Artifact | null {
    const row = this.#byId.get(id);
    if (row === undefined) return null;
    const { bytes, ...info } = infoOf(row);
    return { ...info, body: range === null ? this.body(row.number) : this.#range(row.number, range.offset, range.offset + range.length) };
  }

  list(filter: { readonly session?: string; readonly kind?: string; readonly limit: number }): ArtifactInfo[] {
    const kind = filter.kind ?? null;
    if (filter.session === undefined) return this.#list.all({ kind, limit: filter.limit }).map(infoOf);
    const session = this.#sessions.find(filter.session);
    return session === null ? [] : this.#listHeld.all({ kind, limit: filter.limit, session: session.number }).map(infoOf);
  }

  info(number: number): ArtifactInfo | null {
    const row = this.#byNumber.get(number);
    return row === undefined ? null : infoOf(row);
  }

  body(number: number): string {
    return this.#range(number, 0, Number.MAX_SAFE_INTEGER);
  }

  #range(number: number, start: number, end: number): string {
    const row = this.#body.get(number);
    if (row === undefined || row.body === null) return this.#chunks.range(number, start, end);
    return unpack({ codec: row.codec, body: row.body }).slice(start, end);
  }

  #insert(artifact: Artifact, session: number | null): number {
    const { id, kind, body, source, tokens } = artifact;
    const large = body.length > LARGE_UNITS;
    const packed = large ? { codec: 0, body: null } : pack(body);
    const indexed = SILENT_KINDS.has(kind) ? 1 : 0;
    const added = this.#add.run(
      id,
      kind,
      session,
      source?.firstSeq ?? null,
      source?.lastSeq ?? null,
      JSON.stringify(artifact.madeBy),
      tokens,
      Buffer.byteLength(body),
      packed.codec,
      packed.body,
      indexed,
    );
    const number = Number(added.lastInsertRowid);
    if (large) this.#chunks.write(number, body);
    return number;
  }
}

function infoOf(row: ArtifactRow): ArtifactInfo {
  const { id, kind, session, tokens, bytes } = row;
  const source = row.firstSeq === null || row.lastSeq === null ? null : { firstSeq: row.firstSeq, lastSeq: row.lastSeq };
  return { id, kind, session, source, madeBy: JSON.parse(row.madeBy) as Json, tokens, bytes };
}
