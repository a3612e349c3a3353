import { edgeOf } from '@palimpsest/contracts';
import type { CompactOutcome, EntryId, Shown } from '@palimpsest/contracts';
import { bySegment } from '../branch/segments.ts';

/**
 * What a person said last, and the open batch, are not an engine's to rewrite. @returns what it would do to one of these entries; null: nothing.
 * An edge that is none of these units is passed over: the journal refuses it by its own rule. Pure.
 */
export function harmTo(kept: ReadonlySet<EntryId | null>, outcome: CompactOutcome, units: readonly Shown[]): string | null {
  if (outcome.kind !== 'compacted') return null;
  const { compaction, reductions = [] } = outcome.drafts;
  const shortened = reductions.find(({ entry }) => kept.has(entry));
  if (shortened !== undefined) return `shortens the protected entry ${shortened.entry}`;
  const hidden = bySegment(units, compaction?.segments ?? []).flatMap(({ segment, units: inside }) =>
    segment === null || segment.show === 'entries' ? [] : inside,
  );
  const covered = hidden.find((unit) => unit.kind === 'entry' && kept.has(unit.placed.entry.id));
  return covered === undefined ? null : `covers the protected entry ${edgeOf(covered)}`;
}
