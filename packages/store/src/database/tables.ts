import type Sqlite from 'better-sqlite3';
import { ArtifactTable } from './artifact-table.ts';
import { ChunkTable } from './chunk-table.ts';
import { EntryTable } from './entry-table.ts';
import { LeaseTable } from './lease-table.ts';
import { SessionTable } from './session-table.ts';
import { WordIndex } from './word-index.ts';

/** The tables of one open database. None of them begins a transaction. */
export interface Tables {
  readonly sessions: SessionTable;
  readonly entries: EntryTable;
  readonly artifacts: ArtifactTable;
  readonly leases: LeaseTable;
  readonly words: WordIndex;
}

export function tablesOf(database: Sqlite.Database): Tables {
  const chunks = new ChunkTable(database);
  const sessions = new SessionTable(database);
  const entries = new EntryTable(database, chunks);
  const artifacts = new ArtifactTable(database, sessions, chunks);
  return { sessions, entries, artifacts, leases: new LeaseTable(database), words: new WordIndex(database, entries, artifacts) };
}
