/** What an array says as a whole; by element index or by approval. */
export interface ArrayFacts {
  /** Stored again later with more behind it. */
  readonly superseded: ReadonlySet<number>;
  readonly repeated: ReadonlySet<number>;
  /** By approval, the call it asks about; only calls without a result. */
  readonly unanswered: ReadonlyMap<string, string>;
}
export const NOTHING_KNOWN: ArrayFacts = { superseded: new Set(), repeated: new Set(), unanswered: new Map() };
