import type Sqlite from 'better-sqlite3';
import type { ArtifactId, EntryId, Hit, SessionId } from '@palimpsest/contracts';
import { snippetOf } from '../words/snippet.ts';
import { entryText } from '../words/texts.ts';
import { indexWords, matchQuery, needles } from '../words/words.ts';
import type { ArtifactTable } from './artifact-table.ts';
import type { EntryTable } from './entry-table.ts';

/** One pass of indexing ends after so many entries, or so many characters. */
const PASS_ENTRIES = 256;
const PASS_CHARACTERS = 1 << 22;
const FIRST_ENTRY_KEY = 2 ** 31;

interface Asked { readonly match: string; readonly limit: number; readonly session: number }
interface Found { readonly key: number; readonly rank: number }

/**
 * Full text beside the log, without the text itself. Entries are indexed some time after they were written, many at a
 * time, and at the latest before the next query: `indexed_seq` says how far, in the same transaction as the words.
 */
export class WordIndex {
  readonly #entries: EntryTable;
  readonly #artifacts: ArtifactTable;
  readonly #add: Sqlite.Statement<[number, string], unknown>;
  readonly #behind: Sqlite.Statement<[], { readonly number: number; readonly indexedSeq: number }>;
  readonly #advance: Sqlite.Statement<[number, number], unknown>;
  readonly #artifactsBehind: Sqlite.Statement<[], number>;
  readonly #artifactDone: Sqlite.Statement<[number], unknown>;
  readonly #match: Sqlite.Statement<[Omit<Asked, 'session'>], Found>;
  readonly #matchIn: Sqlite.Statement<[Asked], Found>;
  readonly #matchHeld: Sqlite.Statement<[Asked], Found>;
  readonly #sessionOf: Sqlite.Statement<[number], SessionId>;
  readonly #holderOf: Sqlite.Statement<[number], SessionId>;

  constructor(database: Sqlite.Database, entries: EntryTable, artifacts: ArtifactTable) {
    this.#entries = entries;
    this.#artifacts = artifacts;
    this.#add = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
    this.#behind = database.prepare('SELECT number, indexed_seq AS indexedSeq FROM sessions WHERE indexed_seq < last_seq LIMIT 1');
    this.#advance = database.prepare('UPDATE sessions SET indexed_seq = ? WHERE number = ?');
    this.#artifactsBehind = database.prepare<[], number>('SELECT number FROM artifacts WHERE indexed = 0 ORDER BY number LIMIT 16').pluck();
    this.#artifactDone = database.prepare('UPDATE artifacts SET indexed = 1 WHERE number = ?');
    this.#match = database.prepare(
      `SELECT rowid AS key, rank FROM words WHERE words MATCH :match AND (rowid >= ${String(FIRST_ENTRY_KEY)} OR rowid IN (SELECT artifact FROM holders)) ORDER BY rank, rowid DESC LIMIT :limit`,
    );
    this.#matchIn = database.prepare('SELECT rowid AS key, rank FROM words WHERE words MATCH :match AND rowid > (:session << 31) AND rowid < ((:session + 1) << 31) ORDER BY rank, rowid DESC LIMIT :limit');
    this.#matchHeld = database.prepare(
      `SELECT rowid AS key, rank FROM words WHERE words MATCH :match AND rowid < ${String(FIRST_ENTRY_KEY)} AND rowid IN (SELECT artifact FROM holders WHERE session = :session) ORDER BY rank, rowid DESC LIMIT :limit`,
    );
    this.#sessionOf = database.prepare<[number], SessionId>('SELECT id FROM sessions WHERE number = ?').pluck();
    this.#holderOf = database.prepare<[number], SessionId>('SELECT id FROM holders JOIN sessions ON number = session WHERE artifact = ? ORDER BY number LIMIT 1').pluck();
  }

  /** One pass, inside the caller's transaction. False: nothing was left to do. */
  pass(): boolean {
    const artifacts = this.#artifactsBehind.all();
    for (const number of artifacts) {
      this.#index(number, this.#artifacts.body(number));
      this.#artifactDone.run(number);
    }
    const session = this.#behind.get();
    if (session !== undefined) this.#passEntries(session.number, session.indexedSeq);
    return artifacts.length > 0 || session !== undefined;
  }

  /** Best first. `session` is a session's number and id; null: all. */
  query(text: string, session: { readonly number: number; readonly id: SessionId } | null, limit: number): Hit[] {
    const match = matchQuery(text);
    if (match === null) return [];
    const found = session === null
      ? this.#match.all({ match, limit })
      : [...this.#matchIn.all({ match, limit, session: session.number }), ...this.#matchHeld.all({ match, limit, session: session.number })].sort((one, other) => one.rank - other.rank).slice(0, limit);
    const words = needles(text);
    return found.flatMap(({ key, rank }) => {
      const hit = key < FIRST_ENTRY_KEY ? this.#artifactHit(key, session?.id ?? null, words) : this.#entryHit(key, words);
      return hit === null ? [] : [{ ...hit, score: -rank }];
    });
  }

  #passEntries(session: number, indexedSeq: number): void {
    let last = indexedSeq;
    let characters = 0;
    const batch: { readonly seq: number; readonly text: string }[] = [];
    for (const { seq, kind, body } of this.#entries.after(session, indexedSeq)) {
      batch.push({ seq, text: entryText(kind, body) });
      last = seq;
      characters += body.length;
      if (batch.length >= PASS_ENTRIES || characters >= PASS_CHARACTERS) break;
    }
    for (const { seq, text } of batch) this.#index(session * FIRST_ENTRY_KEY + seq, text);
    this.#advance.run(last, session);
  }

  #index(key: number, text: string): void {
    const words = indexWords(text);
    if (words !== '') this.#add.run(key, words);
  }

  #entryHit(key: number, words: readonly string[]): Omit<Hit, 'score'> | null {
    const number = Math.floor(key / FIRST_ENTRY_KEY);
    const session = this.#sessionOf.get(number);
    const entry = this.#entries.one(number, key % FIRST_ENTRY_KEY);
    if (session === undefined || entry === null) return null;
    return { session, entry: entry.id as EntryId, artifact: null, snippet: snippetOf(entryText(entry.kind, entry.body), words) };
  }

  #artifactHit(number: number, asked: SessionId | null, words: readonly string[]): Omit<Hit, 'score'> | null {
    const info = this.#artifacts.info(number);
    const session = asked ?? info?.session ?? this.#holderOf.get(number) ?? null;
    if (info === null || session === null) return null;
    return { session, entry: null, artifact: info.id as ArtifactId, snippet: snippetOf(this.#artifacts.body(number), words) };
  }
}
