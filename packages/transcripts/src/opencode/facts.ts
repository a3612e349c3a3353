/** Positions count messages in their order. */
export interface OpenCodeFacts {
  /** User messages whose compaction has a summary. */
  readonly compacted: ReadonlySet<number>;
  /** Summaries without such a user message before them. */
  readonly alone: ReadonlySet<number>;
  /** The first message that was undone, and the part from which on; null: all of it. */
  readonly reverted: { readonly from: number; readonly part: string | null } | null;
  readonly outOfOrder: boolean;
}
export const NOTHING_KNOWN: OpenCodeFacts = { compacted: new Set(), alone: new Set(), reverted: null, outOfOrder: false };
