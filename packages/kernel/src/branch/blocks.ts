import { isShownEntry } from '@palimpsest/contracts';
import type { ContextPlan, RenderBlock, Shown } from '@palimpsest/contracts';
import { bySegment } from './segments.ts';

/** What a plan shows of these units, in order. Pure. */
export function blocksOf(units: readonly Shown[], plan: ContextPlan): readonly RenderBlock[] {
  return bySegment(units, plan.segments).flatMap(({ segment, units: inside }): readonly RenderBlock[] => {
    if (segment?.show === 'summary') return [{ kind: 'summary', through: segment.through, segment }];
    return segment === null || segment.show === 'nothing' ? [] : inside.filter(isBlock);
  });
}

/** A unit that shows something is the block that shows it. */
function isBlock(unit: Shown): unit is Shown & RenderBlock {
  return unit.kind === 'summary' || isShownEntry(unit);
}

/** Tokens of the blocks by what they are; the sum is what the branch costs under this plan. */
export function tokensByKind(blocks: readonly RenderBlock[]): Readonly<Record<'user' | 'assistant' | 'tool' | 'summary' | 'note', number>> {
  const parts = { user: 0, assistant: 0, tool: 0, summary: 0, note: 0 };
  for (const block of blocks) {
    if (block.kind === 'summary') parts.summary += block.segment.tokens;
    else parts[block.placed.entry.kind === 'message' ? block.placed.entry.message.role : 'note'] += block.placed.shownTokens;
  }
  return parts;
}
