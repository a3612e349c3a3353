import type { EntryId } from './ids.ts';
import type { Shown } from './turn.ts';

export type ShownEntry = Shown & { readonly kind: 'entry' };

/** The entry by which an edge behind this unit is named. Pure. */
export function edgeOf(unit: Shown): EntryId {
  return unit.kind === 'entry' ? unit.placed.entry.id : unit.through;
}

/** What the unit costs as it is shown now. Pure. */
export function shownTokensOf(unit: Shown): number {
  return unit.kind === 'entry' ? unit.placed.shownTokens : unit.tokens;
}

/** An entry of which the model sees something: whole, or with parts of it shortened. Pure. */
export function isShownEntry(unit: Shown | undefined): unit is ShownEntry {
  return unit?.kind === 'entry' && (unit.placed.shape.kind === 'whole' || unit.placed.shape.kind === 'reduced');
}
