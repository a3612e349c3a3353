/**
 * `PRAGMA user_version` counts the steps that were run. A step is never changed once it was released; a new one is added.
 *
 * An entry's key is `session number << 31 | seq`, so that a session's entries lie together in order and need no second index.
 * Session numbers start at 1 and are never used again; the keys below 1 << 31 belong to artifacts. Entries name parent and turn
 * by `seq` (a turn from elsewhere by its id), and their time in milliseconds (another spelling of it as text).
 *
 * `filled_under` is the fence of whoever fills a session in one go; a write under another one clears it. `filled`: all of it is there.
 *
 * `words` and `pairs` have the keys of entries and artifacts as rowids. `pairs` is for scripts without blanks: it knows which
 * pairs of characters a text has, not where, which halves its size; what it finds is looked at again in the text.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT, parent_session TEXT, parent_entry TEXT, created TEXT NOT NULL, updated TEXT NOT NULL,
    format INTEGER NOT NULL, leaf INTEGER, last_seq INTEGER NOT NULL DEFAULT 0, indexed_seq INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX sessions_unindexed ON sessions (number) WHERE indexed_seq < last_seq;

  CREATE TABLE entries (
    key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent INTEGER, depth INTEGER NOT NULL, turn ANY, kind INTEGER NOT NULL, time ANY NOT NULL, tokens INTEGER NOT NULL, body ANY
  ) STRICT;

  CREATE TABLE leases (session TEXT PRIMARY KEY, owner TEXT, fence INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE artifacts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, session INTEGER, first_seq INTEGER, last_seq INTEGER, made_by TEXT NOT NULL,
    tokens INTEGER NOT NULL, bytes INTEGER NOT NULL, codec INTEGER NOT NULL, body ANY, indexed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX artifacts_unindexed ON artifacts (number) WHERE indexed = 0;
  CREATE TABLE holders (session INTEGER NOT NULL, artifact INTEGER NOT NULL, PRIMARY KEY (session, artifact)) STRICT, WITHOUT ROWID;
  CREATE INDEX holders_artifact ON holders (artifact);

  CREATE TABLE chunks (number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, codec INTEGER NOT NULL, body ANY NOT NULL) STRICT;
  CREATE TABLE pieces (owner INTEGER NOT NULL, at INTEGER NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY (owner, at)) STRICT, WITHOUT ROWID;
  CREATE INDEX pieces_chunk ON pieces (chunk);

  CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii');
  CREATE VIRTUAL TABLE pairs USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none');
  `,
  `
  ALTER TABLE sessions ADD COLUMN filled_under INTEGER;
  ALTER TABLE sessions ADD COLUMN filled INTEGER NOT NULL DEFAULT 0;
  `,
];

/** `application_id`: tells our files from other programs' databases. ASCII "PLMP". */
export const APPLICATION_ID = 0x504c4d50;
