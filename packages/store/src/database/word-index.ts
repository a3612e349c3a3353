import type Sqlite from 'better-sqlite3';
import type { EntryId, Hit, SessionId } from '@palimpsest/contracts';
import { snippetOf } from '../words/snippet.ts';
import { entryText } from '../words/texts.ts';
import { denseCount, indexedText, matchQuery, needles, type Match } from '../words/words.ts';
import type { ArtifactTable } from './artifact-table.ts';
import type { EntryTable } from './entry-table.ts';

/** One pass of indexing ends after so many entries, or so many characters. */
const PASS_ENTRIES = 256;
const PASS_CHARACTERS = 1 << 22;
const FIRST_ENTRY_KEY = 2 ** 31;

/** An artifact that no session holds has no place to be found in. */
const EVERYWHERE = `(rowid >= ${String(FIRST_ENTRY_KEY)} OR rowid IN (SELECT artifact FROM holders))`;
const ITS_ENTRIES = 'rowid > (:session << 31) AND rowid < ((:session + 1) << 31)';
const ITS_ARTIFACTS = `rowid < ${String(FIRST_ENTRY_KEY)} AND rowid IN (SELECT artifact FROM holders WHERE session = :session)`;

interface Found {
  readonly key: number;
  readonly text: string;
  readonly score: number;
}
interface Behind {
  readonly number: number;
  readonly indexedSeq: number;
  readonly lastSeq: number;
}
type Place = Pick<Hit, 'session' | 'entry' | 'artifact'>;

/**
 * Full text beside the log, without the text itself. Entries are indexed some time after they were written, many at a
 * time, and at the latest before the next query: `indexed_seq` says how far, in the same transaction as the words.
 */
export class WordIndex {
  readonly #entries: EntryTable;
  readonly #artifacts: ArtifactTable;
  readonly #database: Sqlite.Database;
  readonly #addWords: Sqlite.Statement<[number, string], unknown>;
  readonly #addPairs: Sqlite.Statement<[number, string], unknown>;
  readonly #sessionsBehind: Sqlite.Statement<[], Behind>;
  readonly #advance: Sqlite.Statement<[number, number], unknown>;
  readonly #artifactsBehind: Sqlite.Statement<[], number>;
  readonly #artifactDone: Sqlite.Statement<[number], unknown>;
  readonly #sessionOf: Sqlite.Statement<[number], SessionId>;
  readonly #holderOf: Sqlite.Statement<[number], SessionId>;
  #unindexed = 0;

  constructor(database: Sqlite.Database, entries: EntryTable, artifacts: ArtifactTable) {
    this.#entries = entries;
    this.#artifacts = artifacts;
    this.#database = database;
    this.#addWords = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
    this.#addPairs = database.prepare('INSERT INTO pairs (rowid, text) VALUES (?, ?)');
    this.#sessionsBehind = database.prepare(
      'SELECT number, indexed_seq AS indexedSeq, last_seq AS lastSeq FROM sessions WHERE indexed_seq < last_seq LIMIT 1',
    );
    this.#advance = database.prepare('UPDATE sessions SET indexed_seq = ? WHERE number = ?');
    this.#artifactsBehind = database.prepare<[], number>('SELECT number FROM artifacts WHERE indexed = 0 ORDER BY number LIMIT 16').pluck();
    this.#artifactDone = database.prepare('UPDATE artifacts SET indexed = 1 WHERE number = ?');
    this.#sessionOf = database.prepare<[number], SessionId>('SELECT id FROM sessions WHERE number = ?').pluck();
    this.#holderOf = database
      .prepare<[number], SessionId>('SELECT id FROM holders JOIN sessions ON number = session WHERE artifact = ? ORDER BY number LIMIT 1')
      .pluck();
  }

  /** How many entries this process wrote since it last found nothing left to index. */
  get behind(): number {
    return this.#unindexed;
  }

  behindBy(entries: number): void {
    this.#unindexed += entries;
  }

  /** One pass, inside the caller's transaction. False: nothing was left to do. */
  pass(): boolean {
    const artifacts = this.#artifactsBehind.all();
    for (const number of artifacts) {
      this.#index(number, this.#artifacts.body(number));
      this.#artifactDone.run(number);
    }
    const session = this.#sessionsBehind.get();
    if (session !== undefined) this.#passEntries(session);
    const worked = artifacts.length > 0 || session !== undefined;
    if (!worked) this.#unindexed = 0;
    return worked;
  }

  /** Best first. `session` is a session's number and id; null: all. */
  query(text: string, session: { readonly number: number; readonly id: SessionId } | null, limit: number): Hit[] {
    const match = matchQuery(text);
    if (match === null) return [];
    const words = needles(text);
    const scopes = session === null ? [EVERYWHERE] : [ITS_ENTRIES, ITS_ARTIFACTS];
    const found = scopes.flatMap((scope) => this.#found(match, scope, session?.number ?? 0, limit));
    return found
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
      .flatMap(({ key, score, text: body }) => {
        const place = key < FIRST_ENTRY_KEY ? this.#artifactPlace(key, session?.id ?? null) : this.#entryPlace(key);
        return place === null ? [] : [{ ...place, snippet: snippetOf(body, words), score }];
      });
  }

  /** What matches in one scope: by rank where there are words, else newest first; what has the pairs but not the run is passed over. */
  #found(match: Match, scope: string, session: number, limit: number): Found[] {
    const found: Found[] = [];
    const rows = this.#database.prepare<
      [{ readonly words: string | null; readonly pairs: string | null; readonly session: number }],
      { readonly key: number; readonly rank: number }
    >(searchSql(match, scope));
    for (const { key, rank } of rows.iterate({ words: match.words, pairs: match.pairs, session })) {
      const text = this.#textOf(key);
      const counts = match.dense.map((run) => denseCount(text, run));
      if (counts.includes(0)) continue;
      const density = counts.reduce((sum, count) => sum + count, 0) / (1 + text.length);
      found.push({ key, text, score: density - rank });
      if (found.length >= limit) break;
    }
    return found;
  }

  #passEntries({ number: session, indexedSeq, lastSeq }: Behind): void {
    // Where rows are missing from a damaged file, what is there is indexed, once.
    let last = lastSeq;
    let characters = 0;
    const batch: { readonly seq: number; readonly text: string }[] = [];
    for (const { seq, kind, body } of this.#entries.after(session, indexedSeq)) {
      batch.push({ seq, text: entryText(kind, body) });
      characters += body.length;
      if (batch.length < PASS_ENTRIES && characters < PASS_CHARACTERS) continue;
      last = seq;
      break;
    }
    for (const { seq, text } of batch) this.#index(session * FIRST_ENTRY_KEY + seq, text);
    this.#advance.run(last, session);
  }

  #index(key: number, text: string): void {
    const { words, pairs } = indexedText(text);
    if (words !== '') this.#addWords.run(key, words);
    if (pairs !== '') this.#addPairs.run(key, pairs);
  }

  #textOf(key: number): string {
    if (key < FIRST_ENTRY_KEY) return this.#artifacts.body(key);
    const entry = this.#entries.one(Math.floor(key / FIRST_ENTRY_KEY), key % FIRST_ENTRY_KEY);
    return entry === null ? '' : entryText(entry.kind, entry.body);
  }

  #entryPlace(key: number): Place | null {
    const number = Math.floor(key / FIRST_ENTRY_KEY);
    const session = this.#sessionOf.get(number);
    const entry = this.#entries.idOf(number, key % FIRST_ENTRY_KEY);
    return session === undefined || entry === null ? null : { session, entry: entry as EntryId, artifact: null };
  }

  #artifactPlace(number: number, asked: SessionId | null): Place | null {
    const info = this.#artifacts.info(number);
    const session = asked ?? info?.session ?? this.#holderOf.get(number) ?? null;
    return info === null || session === null ? null : { session, entry: null, artifact: info.id };
  }
}

/** `rank` is better the lower it is; `pairs` has none. */
function searchSql({ words, pairs }: Match, scope: string): string {
  if (words === null) return `SELECT rowid AS key, 0 AS rank FROM pairs WHERE pairs MATCH :pairs AND ${scope} ORDER BY rowid DESC`;
  const both = pairs === null ? '' : 'AND rowid IN (SELECT rowid FROM pairs WHERE pairs MATCH :pairs)';
  return `SELECT rowid AS key, rank FROM words WHERE words MATCH :words ${both} AND ${scope} ORDER BY rank, rowid DESC`;
}
