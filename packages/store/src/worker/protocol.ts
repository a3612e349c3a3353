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
  /** True: on disk before it is acknowledged, also through a power cut. */
  readonly durable: boolean;
}
/** Where the first row of an append came to stand; the others follow one by one. */
export interface Appended { readonly firstSeq: number; readonly firstDepth: number }

/**
 * A stored entry on its way. Tuples of short strings cross threads about as fast as the rows are read; one long string for a
 * whole page costs four times as much, for it is copied four times. The reader parses the bodies.
 */
export type EntryTuple = readonly [
  seq: number, id: string, parent: string | null, depth: number, turn: string | null, kind: EntryKind, time: string | number, tokens: number, body: string,
];

/** Each operation is one message and one answer, handled in the order sent. `nowMs` is the caller's clock. */
export interface StoreOperations {
  /** Nothing by itself: the first operation, whichever it is, opens the file. */
  open(): null;
  openSession(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): SessionRecord;
  session(id: SessionId): SessionRecord | null;
  sessions(limit: number, after: SessionId | null): readonly SessionRecord[];
  append(write: AppendRows, nowMs: number): Appended;
  branch(session: string, leaf: string, page: Page): readonly EntryTuple[];
  entries(session: string, after: number, limit: number): readonly EntryTuple[];
  get(session: string, ids: readonly string[]): readonly (readonly EntryTuple[])[];
  moveLeaf(session: string, to: string | null, fence: number | null, nowMs: number): null;
  drop(session: string, fence: number | null, nowMs: number): null;
  putArtifacts(artifacts: readonly Artifact[]): null;
  getArtifact(id: string, range: { readonly offset: number; readonly length: number } | null): Artifact | null;
  listArtifacts(filter: { readonly session?: SessionId; readonly kind?: string; readonly limit: number }): readonly ArtifactInfo[];
  acquire(session: SessionId, owner: string, ttlMs: number, nowMs: number): Lease | LeaseHeld;
  renew(lease: Lease, ttlMs: number, nowMs: number): Lease | null;
  release(lease: Lease): null;
  query(text: string, session: SessionId | null, limit: number): readonly Hit[];
  close(): null;
}
export type Operation = keyof StoreOperations;

export interface Request { readonly id: number; readonly operation: Operation; readonly input: readonly unknown[] }
export type Response =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: FaultName; readonly input: readonly unknown[] }
  | { readonly id: number; readonly thrown: unknown };
