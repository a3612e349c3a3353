/** What crosses between the main thread and the worker that owns the database. Plain data only. */
import type { Artifact, ArtifactInfo, EntryKind, Hit, Lease, LeaseHeld, Page, SessionId, SessionRecord } from '@palimpsest/contracts';
import type { FaultName } from '../database/fault.ts';

/** An entry to write. `body` is the JSON object of what is neither envelope nor `kind`. */
export interface DraftRow {
  readonly id: string;
  readonly time: string;
  readonly turn: string | null;
  readonly tokens: number;
  readonly kind: EntryKind;
  readonly body: string;
}
export interface AppendRows {
  readonly session: string;
  readonly leaf: string | null;
  readonly fence: number | null;
  readonly rows: readonly DraftRow[];
  readonly artifacts: readonly Artifact[];
}
/** Where the first row of an append came to stand; the others follow one by one. */
export interface Appended {
  readonly firstSeq: number;
  readonly firstDepth: number;
}

/**
 * Stored entries on their way, column by column, one place an entry. Numbers cross threads as bytes, and each id once: `names`
 * begins with the entries' own ids, and `parents` and `turns` point into it (-1: none). Bodies stay apart: one long text for a page is parsed six times slower.
 */
export interface EntryPage {
  readonly names: readonly string[];
  readonly parents: Int32Array;
  readonly turns: Int32Array;
  readonly seqs: Int32Array;
  readonly depths: Int32Array;
  /** Positions in KINDS. */
  readonly kinds: Uint8Array;
  /** Milliseconds, or the time as it was written. */
  readonly times: readonly (number | string)[];
  readonly tokens: Float64Array;
  readonly bodies: readonly string[];
}

/** Each operation is one message and one answer, handled in the order sent. `nowMs` is the caller's clock. */
export interface StoreOperations {
  /** Nothing by itself: the first operation, whichever it is, opens the file. */
  open(): null;
  openSession(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): SessionRecord;
  begin(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>, fence: number, nowMs: number): SessionRecord;
  finish(session: string, fence: number, nowMs: number): null;
  session(id: SessionId): SessionRecord | null;
  sessions(limit: number, after: SessionId | null): readonly SessionRecord[];
  append(write: AppendRows, nowMs: number): Appended;
  /** On disk when it returns, also through a power cut, where the settings ask for that. */
  flush(): null;
  branch(session: string, leaf: string, page: Page): EntryPage;
  entries(session: string, after: number, limit: number): EntryPage;
  get(session: string, ids: readonly string[]): readonly EntryPage[];
  moveLeaf(session: string, to: string | null, fence: number | null, nowMs: number): null;
  drop(session: string, fence: number | null, nowMs: number): null;
  putArtifacts(artifacts: readonly Artifact[]): null;
  getArtifact(id: string, range: { readonly offset: number; readonly length: number } | null): Artifact | null;
  listArtifacts(filter: { readonly session?: SessionId; readonly kind?: string; readonly limit: number }): readonly ArtifactInfo[];
  acquire(session: SessionId, owner: string, ttlMs: number, nowMs: number): Lease | LeaseHeld;
  renew(lease: Lease, ttlMs: number, nowMs: number): Lease | null;
  release(lease: Lease): null;
  /** Whatever lease this owner holds. */
  forget(session: SessionId, owner: string): null;
  query(text: string, session: SessionId | null, limit: number): readonly Hit[];
  close(): null;
}
export type Operation = keyof StoreOperations;

export interface Request {
  readonly id: number;
  readonly operation: Operation;
  readonly input: readonly unknown[];
}
export type Response =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: FaultName; readonly input: readonly unknown[] }
  | { readonly id: number; readonly thrown: unknown };
