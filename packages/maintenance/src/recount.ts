/** An engine's drafts with the host's own figures: progress is measured, never claimed. Pure. */
import { isShownEntry } from '@palimpsest/contracts';
import type { Artifact, CompactionDraft, Drafts, EntryId, ReductionItem, Segment, Shown } from '@palimpsest/contracts';
import type { Measure } from './measure.ts';
import { itemsInForce, mergedItems, messageIn } from './bundles.ts';

export function recounted(drafts: Drafts, shown: readonly Shown[], measure: Measure): Drafts {
  const { compaction, reductions } = drafts;
  return {
    ...drafts,
    ...(compaction === undefined ? {} : { compaction: recountedCompaction(compaction, drafts.artifacts ?? [], measure) }),
    ...(reductions === undefined ? {} : { reductions: recountedItems(reductions, shown, measure) }),
  };
}

function recountedCompaction(draft: CompactionDraft, artifacts: readonly Artifact[], measure: Measure): CompactionDraft {
  const bodies = new Map(artifacts.map(({ id, body }) => [id, body]));
  const tokensOf = (segment: Segment & { show: 'summary' }): number => {
    const body = 'inline' in segment.text ? segment.text.inline : bodies.get(segment.text.artifact);
    return body === undefined ? segment.tokens : measure.summary(body);
  };
  return {
    ...draft,
    segments: draft.segments.map((segment) => (segment.show === 'summary' ? { ...segment, tokens: tokensOf(segment) } : segment)),
  };
}

/** Items of entries that are not shown change nothing and are left out. */
function recountedItems(items: readonly ReductionItem[], shown: readonly Shown[], measure: Measure): readonly ReductionItem[] {
  const placed = new Map(shown.flatMap((block) => (isShownEntry(block) ? [[block.placed.entry.id, block.placed] as const] : [])));
  const totals = new Map<EntryId, number>();
  for (const [entry, own] of Map.groupBy(items, (item) => item.entry)) {
    const at = placed.get(entry);
    const message = at === undefined ? null : messageIn(at);
    if (at !== undefined && message !== null) totals.set(entry, measure.message(message, mergedItems(itemsInForce(at), own)));
  }
  return items.flatMap((item) => {
    const tokens = totals.get(item.entry);
    return tokens === undefined ? [] : [{ ...item, tokens }];
  });
}
