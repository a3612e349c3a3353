/**
 * The store's ports. Async, plain data, no callbacks: a network store can stand behind each. Every implementation passes the
 * store contract suite of `testing`.
 */
import type { ArtifactId, EntryId, SessionId } from '../ids.ts';
import type { Json } from '../parts.ts';
import type { Draft, Entry, EntryKind } from './entry.ts';

/** A long text beside the log, by content hash. `tokens` counts the body. */
export interface Artifact {
  readonly id: ArtifactId;
  /** `system_prompt`, `tool_schemas`, `compaction_summary`, `offload`, `source`, `engine_state`, … */
  readonly kind: string;
  readonly session: SessionId | null;
  readonly body: string;
  /** Which entries it was made of, by `seq`, both included; null: of none. */
  readonly source: { readonly firstSeq: number; readonly lastSeq: number } | null;
  readonly madeBy: Json;
  readonly tokens: number;
}
export type ArtifactInfo = Omit<Artifact, 'body'> & { readonly bytes: number };

/** One write: all of it or nothing. */
export interface Append {
  readonly session: SessionId;
  /** The leaf the writer built on; null: the session is empty. The first draft's parent, and the next one's is the draft before. */
  readonly leaf: EntryId | null;
  /** Of the lease held; null only where no lease exists for the session (an import into a fresh one). */
  readonly fence: number | null;
  readonly entries: readonly Draft[];
  readonly artifacts?: readonly Artifact[];
}

export interface Page {
  /** Begin at the parent of this entry; absent: at the leaf asked for. */
  readonly before?: EntryId;
  readonly kinds?: readonly EntryKind[];
  /** Most entries to return, at least 1. Fewer may come back (a page is also bounded by bytes); none means the root was passed. */
  readonly limit: number;
}

export interface SessionRecord {
  readonly id: SessionId;
  readonly name: string | null;
  readonly parent: { readonly session: SessionId; readonly entry: EntryId } | null;
  /** UTC, ISO 8601. */
  readonly created: string;
  readonly leaf: EntryId | null;
  /** Log format version. */
  readonly format: number;
  readonly entries: number;
  /** Time of the newest entry, or of creation. */
  readonly updated: string;
  /** How far whoever fills it in one go (an import, a copy, a replay) has come. Null: nobody does, or somebody else has written to it since. */
  readonly filling: 'begun' | 'done' | null;
}

/** Append-only tree of entries. */
export interface Log {
  /** Makes the session record unless it exists; returns it either way. */
  open(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>): Promise<SessionRecord>;
  /**
   * Opens a session that the holder of this fence fills in one go: `begun` until it is finished, `null` after a write by anybody else.
   * @throws LOG_FENCE_STALE; SESSION_EXISTS when it has entries.
   */
  begin(session: Pick<SessionRecord, 'id' | 'name' | 'parent' | 'created'>, fence: number): Promise<SessionRecord>;
  /** All of it is there. Where somebody else has written since it was begun, nothing changes. @throws LOG_FENCE_STALE, LOG_SESSION_UNKNOWN. */
  finish(session: SessionId, fence: number): Promise<void>;
  session(id: SessionId): Promise<SessionRecord | null>;
  /** Newest record first. @throws LOG_SESSION_UNKNOWN for an unknown `after`. */
  sessions(page: { readonly limit: number; readonly after?: SessionId }): Promise<readonly SessionRecord[]>;
  /**
   * Appends under the expected leaf and moves the leaf to the last draft, in one transaction. What it returns outlives the process; `flush`
   * tells when it outlives a power cut.
   * @throws LOG_LEAF_MOVED, LOG_FENCE_STALE, LOG_SESSION_UNKNOWN, LOG_ID_TAKEN; STORE_* for the environment. Nothing was written then.
   */
  append(write: Append): Promise<readonly Entry[]>;
  /** Resolves once everything written before is on disk, as far as the store's durability asks for that. @throws STORE_*. */
  flush(): Promise<void>;
  /** Newest first along the path that ends in `leaf` (itself included when `before` is absent). */
  branch(session: SessionId, leaf: EntryId, page: Page): Promise<readonly Entry[]>;
  /** Every branch, in the order of `seq`, behind `after` (default: from the first). Fewer than `limit` may come back; none means the end. @throws LOG_SESSION_UNKNOWN. */
  entries(session: SessionId, page: { readonly after?: number; readonly limit: number }): Promise<readonly Entry[]>;
  /** In the order asked; unknown ids are left out. */
  get(session: SessionId, ids: readonly EntryId[]): Promise<readonly Entry[]>;
  /** @throws LOG_ENTRY_UNKNOWN, LOG_FENCE_STALE. */
  moveLeaf(session: SessionId, to: EntryId | null, fence: number | null): Promise<void>;
  /**
   * Removes a session whole, with everything that only it holds: for a replay that starts again and an explicit erase. Its lease stays with
   * its holder and its fence goes on rising, so that a writer of before is refused afterwards, too. Idempotent.
   * @throws LOG_FENCE_STALE, by the rule of an append: without a fence only where no lease runs. Nothing was removed then.
   */
  drop(session: SessionId, fence: number | null): Promise<void>;
}

/** Bodies by content hash. Reading never loads more than the range asked for. Every session that put an artifact holds it; it goes with its last holder. */
export interface Artifacts {
  /** Idempotent: an id that exists is left as it is. */
  put(artifacts: readonly Artifact[]): Promise<void>;
  /** `range` counts UTF-16 units. */
  get(id: ArtifactId, range?: { readonly offset: number; readonly length: number }): Promise<Artifact | null>;
  list(filter: { readonly session?: SessionId; readonly kind?: string; readonly limit: number }): Promise<readonly ArtifactInfo[]>;
}

/** The right to write to a session for a while. */
export interface Lease {
  readonly session: SessionId;
  readonly owner: string;
  /** Rises with every change of owner; an append with an older one is refused. */
  readonly fence: number;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly expiresAtMs: number;
}
export interface LeaseHeld {
  readonly heldBy: string;
  readonly untilMs: number;
}
export interface Leases {
  /** A lease, or who holds it. An expired lease is taken over, and where it can be told one of a process that is gone. The same owner gets it again with the same fence. */
  acquire(session: SessionId, owner: string, ttlMs: number): Promise<Lease | LeaseHeld>;
  /** Null: lost. */
  renew(lease: Lease, ttlMs: number): Promise<Lease | null>;
  /** Idempotent. */
  release(lease: Lease): Promise<void>;
}

export interface Hit {
  readonly session: SessionId;
  readonly entry: EntryId | null;
  readonly artifact: ArtifactId | null;
  /** At most 400 characters around the first match. */
  readonly snippet: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}
/** Full text over entries and artifacts. Every word of the query has to occur; quotes and operators have no meaning. */
export interface Search {
  query(ask: { readonly text: string; readonly session?: SessionId; readonly limit: number }): Promise<readonly Hit[]>;
}

/** One store: the four ports over one place, closed together. */
export interface Store {
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly leases: Leases;
  readonly search: Search;
  close(): Promise<void>;
}
