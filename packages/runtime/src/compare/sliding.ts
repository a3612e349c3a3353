import type { CompactOutcome, CompactRequest, EngineDefinition } from '@palimpsest/contracts';
import { defineContextEngine, everything, groupsOldestFirst, segmentsFrom, type Piece } from '@palimpsest/plugin-kit';

const GONE = 'fell out of the sliding window';

/** The plainest engine there is, to measure others by: the oldest part goes when room is needed, and nothing stands for it. */
export const sliding: EngineDefinition = defineContextEngine({
  name: 'sliding',
  version: '1.0.0',
  manifest: { description: 'Drops the oldest part when the window is full. A reference for comparisons.', owns: ['reduce'] },
  create: () => ({ plan: everything, compact: slid }),
});

/** Whole groups from the oldest on, until the goal is met; what is protected stays where it is. */
async function slid({ branch, goalTokens, protectedEntries }: CompactRequest): Promise<CompactOutcome> {
  const kept = new Set<string>(protectedEntries);
  const pieces: Piece[] = [];
  let left = branch.shownTokens;
  for await (const { placed, through, shownTokens } of groupsOldestFirst(branch, null)) {
    if (left <= goalTokens) break;
    const isKept = placed.some(({ entry }) => kept.has(entry.id));
    pieces.push({ through, showing: isKept ? { show: 'entries' } : { show: 'nothing', reason: GONE, reach: 'search' } });
    if (!isKept) left -= shownTokens;
  }
  while (pieces.at(-1)?.showing.show === 'entries') pieces.pop();
  if (left >= branch.shownTokens) return { kind: 'noop', reason: 'nothing-eligible' };
  return {
    kind: 'compacted',
    drafts: { compaction: { segments: segmentsFrom(pieces), short: `${String(branch.shownTokens - left)} tokens ${GONE}` } },
  };
}
