import { closeSync, existsSync, mkdirSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { StoreSettings } from '@palimpsest/contracts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { Fault } from './fault.ts';

/** How long a write waits for another process. It blocks the worker, never the main thread. */
const BUSY_TIMEOUT_MS = 5000;
const HEADER = Buffer.from('SQLite format 3\0');
const SWITCH_ATTEMPTS = 100;
const SWITCH_PAUSE_MS = 50;

/** Opens or makes the file, for its owner alone. @throws STORE_OPEN_FAILED, STORE_TOO_NEW; a file that is no store is left as it is. */
export function connect(settings: StoreSettings): Sqlite.Database {
  let database: Sqlite.Database | null = null;
  try {
    makeFolder(dirname(settings.file));
    refuseOtherFiles(settings.file);
    database = new Sqlite(settings.file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeign(database, settings.file);
    useWriteAheadLog(database);
    migrate(database, settings.file);
    return database;
  } catch (cause) {
    database?.close();
    throw cause instanceof Fault ? cause : new Fault('storeOpenFailed', settings.file, cause);
  }
}

/** Level by level: making all at once never ends where the system forbids it without saying so, as in `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** SQLite takes a file shorter than its header for an empty one and would write over it. Makes a missing file. */
function refuseOtherFiles(file: string): void {
  const handle = openSync(file, 'a+', 0o600);
  try {
    const start = Buffer.alloc(HEADER.length);
    const length = readSync(handle, start, 0, start.length, 0);
    if (length > 0 && !start.equals(HEADER)) throw new Error('it is no SQLite database');
  } finally {
    closeSync(handle);
  }
}

function refuseForeign(database: Sqlite.Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const application = Number(database.pragma('application_id', { simple: true }));
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  if (application !== APPLICATION_ID && (tables !== 0 || version !== 0))
    throw new Fault('storeOpenFailed', file, new Error('it is the database of another program'));
  if (version > MIGRATIONS.length) throw new Fault('storeTooNew', file, version, MIGRATIONS.length);
}

/** Two processes that make the file at once: SQLite gives the slower one SQLITE_BUSY without waiting. */
function useWriteAheadLog(database: Sqlite.Database): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.pragma('page_size = 8192');
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt === SWITCH_ATTEMPTS || !(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWITCH_PAUSE_MS);
    }
  }
}

/** Every missing step and the new version in one transaction; whoever comes second finds it done. */
function migrate(database: Sqlite.Database, file: string): void {
  database
    .transaction(() => {
      const version = Number(database.pragma('user_version', { simple: true }));
      if (version > MIGRATIONS.length) throw new Fault('storeTooNew', file, version, MIGRATIONS.length);
      for (const step of MIGRATIONS.slice(version)) database.exec(step);
      if (version === MIGRATIONS.length) return;
      database.pragma(`application_id = ${String(APPLICATION_ID)}`);
      database.pragma(`user_version = ${String(MIGRATIONS.length)}`);
    })
    .immediate();
}
