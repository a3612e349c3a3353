import {
  errors,
  type Artifact,
  type ArtifactId,
  type Clock,
  type Entry,
  type EntryId,
  type SessionId,
  type SessionRecord,
} from '@palimpsest/contracts';

/** One session as the memory store keeps it: entries by `seq - 1`, and the length of each one's JSON. */
export interface MemorySession {
  readonly record: Omit<SessionRecord, 'leaf' | 'entries' | 'updated' | 'filling'>;
  readonly entries: Entry[];
  readonly sizes: number[];
  leaf: EntryId | null;
  updated: string;
  /** Who fills it in one go, by fence, and whether all of it is there. */
  filled: { readonly under: number; readonly isDone: boolean } | null;
}

/** `owner` null: released. The fence outlives its owner. */
export interface MemoryLease {
  owner: string | null;
  fence: number;
  expiresAtMs: number;
}

/** An artifact and every session that handed it in; it goes when the last of them is dropped. */
export interface MemoryArtifact {
  artifact: Artifact;
  readonly holders: Set<SessionId>;
}

/** What the four ports of a memory store have in common. Owned by {@link MemoryStore}. */
export class MemoryState {
  readonly sessions = new Map<SessionId, MemorySession>();
  readonly entries = new Map<EntryId, Entry>();
  readonly artifacts = new Map<ArtifactId, MemoryArtifact>();
  readonly leases = new Map<SessionId, MemoryLease>();
  closed = false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws STORE_CLOSED. */
  assertOpen(): void {
    if (this.closed) throw errors.storeClosed();
  }

  nowMs(): number {
    return this.#clock.now();
  }

  /** @throws LOG_SESSION_UNKNOWN. */
  session(id: SessionId): MemorySession {
    const session = this.sessions.get(id);
    if (session === undefined) throw errors.logSessionUnknown(id);
    return session;
  }

  /** @throws LOG_ENTRY_UNKNOWN. */
  entry(session: SessionId, id: EntryId): Entry {
    const entry = this.entries.get(id);
    if (entry?.session !== session) throw errors.logEntryUnknown(session, id);
    return entry;
  }

  /** @throws LOG_FENCE_STALE. An expired lease that nobody took over still lets its holder write. */
  assertFence(session: SessionId, fence: number | null): void {
    const lease = this.leases.get(session);
    const free = lease === undefined || lease.owner === null || lease.expiresAtMs <= this.nowMs();
    const allowed = fence === null ? free : lease !== undefined && lease.owner !== null && lease.fence === fence;
    if (!allowed) throw errors.logFenceStale(session, fence, lease?.fence ?? 0);
  }
}
