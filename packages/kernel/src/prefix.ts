import type { ContextPlan, Entry, ModelRequest, RenderBlock, Shown, StepBody } from '@palimpsest/contracts';
import { blocksOf } from './branch/blocks.ts';
import type { Landmarks } from './branch/path.ts';
import { beginningHashOf } from './hash.ts';

/** A request that is about to be sent, as far as its prefix goes. */
export interface Sending {
  readonly request: ModelRequest;
  readonly blocks: readonly RenderBlock[];
  readonly hooked: boolean;
  /** A hook that changed it has declared a cache loss. */
  readonly declaredLoss: boolean;
}

/** Why a request does not begin with what the step before on its path had sent; null: it does, or there is no step before. From the log alone. Pure. */
export function breakReasonOf(
  { sent: step, epoch }: Pick<Landmarks, 'sent' | 'epoch'>,
  shown: readonly Shown[],
  sending: Sending,
): string | null {
  if (sending.hooked && sending.declaredLoss) return 'hook';
  if (step === null) return null;
  if (step.epoch !== (epoch?.id ?? null)) return epoch?.kind ?? 'navigation';
  const hooked = sending.hooked || step.patch !== null;
  // Within an epoch equal blocks are equal bytes; what hooks made is known by its bytes alone.
  if (hooked ? beginningHashOf(sending.request, step) === step.hash : beginsWith(sending.blocks, earlierBlocks(step, shown))) return null;
  if (hooked) return 'hook';
  return movedSince(step, shown) ? 'navigation' : 'selection';
}

/** What the step showed: its plan over the path as it was then. Null: that is no longer to be told. */
function earlierBlocks(step: Entry<StepBody>, shown: readonly Shown[]): readonly RenderBlock[] | null {
  const end = shown.findLastIndex((unit) => unit.kind === 'entry' && unit.placed.entry.id === step.parent);
  return end < 0 ? null : blocksOf(shown.slice(0, end + 1), step.plan satisfies ContextPlan);
}

function beginsWith(blocks: readonly RenderBlock[], earlier: readonly RenderBlock[] | null): boolean {
  return earlier !== null && earlier.length <= blocks.length && earlier.every((block, at) => isSame(block, blocks[at]));
}

function isSame(one: RenderBlock, other: RenderBlock | undefined): boolean {
  if (one.kind === 'entry') return other?.kind === 'entry' && one.placed.entry.id === other.placed.entry.id;
  if (other?.kind !== 'summary' || one.through !== other.through) return false;
  const [a, b] = [one.segment.text, other.segment.text];
  return 'inline' in a ? 'inline' in b && a.inline === b.inline : 'artifact' in b && a.artifact === b.artifact;
}

/** Entries behind the step that do not follow each other by `seq`: something was written elsewhere between them. */
function movedSince(step: Entry<StepBody>, shown: readonly Shown[]): boolean {
  for (let at = shown.length - 1; at > 0; at -= 1) {
    const [unit, before] = [shown[at], shown[at - 1]];
    if (unit?.kind !== 'entry' || before?.kind !== 'entry' || unit.placed.entry.id === step.id) return false;
    if (unit.placed.entry.seq !== before.placed.entry.seq + 1) return true;
  }
  return false;
}
