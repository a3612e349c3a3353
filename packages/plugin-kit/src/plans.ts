import type { ContextPlan, EntriesSegment, EntryId, NothingSegment, PlanRequest, Segment, SummarySegment } from '@palimpsest/contracts';

/** The complete plan: every entry in its current shape, covered stretches as their logged summary. */
export function everything({ branch }: Pick<PlanRequest, 'branch'>): ContextPlan {
  return { segments: [{ through: branch.last, show: 'entries' }], estimateTokens: branch.shownTokens };
}

/** What a stretch shows, without saying how far it goes. */
export type Showing = Omit<EntriesSegment, 'through'> | Omit<SummarySegment, 'through'> | Omit<NothingSegment, 'through'>;
/** A stretch of a branch up to and including `through`, and what is to be shown of it. */
export interface Piece {
  readonly through: EntryId;
  readonly showing: Showing;
}

/**
 * The fewest segments that say the same as `pieces`, which are given in the order of the branch. Neighbours become one segment when both
 * show their entries, when both show nothing for the same reason, or when both are given the very same summary object: two summaries
 * that merely read alike stay two.
 */
export function segmentsFrom(pieces: Iterable<Piece>): readonly Segment[] {
  const segments: { showing: Showing; through: EntryId }[] = [];
  for (const { through, showing } of pieces) {
    const last = segments.at(-1);
    if (last !== undefined && isSame(last.showing, showing)) last.through = through;
    else segments.push({ showing, through });
  }
  return segments.map(({ showing, through }): Segment => ({ ...showing, through }));
}

function isSame(a: Showing, b: Showing): boolean {
  if (a === b) return true;
  if (a.show === 'nothing' && b.show === 'nothing') return a.reason === b.reason && a.reach === b.reach;
  return a.show === 'entries' && b.show === 'entries';
}
