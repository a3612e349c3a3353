/** A path in units, oldest first: what the fold keeps in memory. Pure. */
import { callsOf, isSilent } from '@palimpsest/contracts';
import type { Entry, EntryId, NothingSegment, Placed, ReductionItem, Shape, Shown, SummarySegment } from '@palimpsest/contracts';

const SILENT: Shape = Object.freeze({ kind: 'silent' });
const WHOLE: Shape = Object.freeze({ kind: 'whole' });

/** A fresh entry as it stands before any maintenance touched it. */
export function placedWhole(entry: Entry, group: EntryId): Placed {
  return isSilent(entry) ? { entry, shape: SILENT, shownTokens: 0, group } : { entry, shape: WHOLE, shownTokens: entry.tokens, group };
}

/** A whole entry once the epoch has ended in which its opaque parts were made: from then on they are left out of every request. */
export function placedWithoutOpaque(placed: Placed): Placed {
  const { entry, shape } = placed;
  return shape.kind === 'whole' ? { ...placed, shownTokens: entry.tokens - opaqueTokensOf(entry) } : placed;
}

export function opaqueTokensOf(entry: Entry): number {
  return entry.kind === 'message' ? (entry.opaqueTokens ?? 0) : 0;
}

/** The entry once one more reduction item is in force; the newest item per part counts. */
export function placedReduced(placed: Placed, item: ReductionItem): Placed {
  const before = placed.shape.kind === 'reduced' ? placed.shape.items : [];
  const items = [...before.filter((old) => old.part !== item.part || old.target !== item.target), item];
  return { ...placed, shape: { kind: 'reduced', items }, shownTokens: item.tokens };
}

/** Bookkeeping in a covered stretch is covered as well: an edge beside it would cut the stretch. */
export function placedCovered(entry: Entry, group: EntryId, by: EntryId, segment: SummarySegment | NothingSegment): Placed {
  return { entry, shape: { kind: 'covered', by, segment: segment.show === 'summary' ? segment : null }, shownTokens: 0, group };
}

export function coveredUnit(segment: SummarySegment | NothingSegment, by: EntryId): Shown {
  if (segment.show === 'nothing') return { kind: 'gap', through: segment.through, by, tokens: 0, segment };
  return { kind: 'summary', through: segment.through, by, tokens: segment.tokens, segment };
}

/** Does this entry ask for tools that the entries behind it answer? */
export function asks(entry: Entry): boolean {
  return entry.kind === 'message' && callsOf(entry.message).length > 0;
}

export function isResult(entry: Entry): boolean {
  return entry.kind === 'message' && entry.message.role === 'tool';
}
