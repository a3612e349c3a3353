import type { EntryId } from './ids.ts';
import type { Entry } from './log/entry.ts';
import type { Shown } from './turn.ts';

export type ShownEntry = Shown & { readonly kind: 'entry' };

const silentKinds: ReadonlySet<Entry['kind']> = new Set([
  'prompt',
  'compaction',
  'reduction',
  'undo',
  'step',
  'model-change',
  'engine-change',
  'label',
  'tombstone',
]);

/** Never shown, whatever a plan says: bookkeeping, hidden messages, data of a plugin's own. Pure. */
export function isSilent(entry: Entry): boolean {
  if (silentKinds.has(entry.kind)) return true;
  if (entry.kind === 'message' || entry.kind === 'branch-summary') return entry.hidden === true;
  return entry.kind === 'custom' && entry.shown === null;
}

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
