/** What is shown, cut into the stretches that go together. Pure. */
import { isShownEntry, shownTokensOf } from '@palimpsest/contracts';
import type { EntryId, Message, Placed, ReductionItem, Shown } from '@palimpsest/contracts';

/** Blocks that are covered together or not at all: one entry, one tool group with everything inside it, one summary, one gap. */
export interface Bundle {
  /** Positions in `shown()`, from and to (excluded). */
  readonly from: number;
  readonly to: number;
  readonly kind: 'entries' | 'silent' | 'summary' | 'gap';
  readonly tokens: number;
  /** The entry that opened the turn; null before the first one. */
  readonly turn: EntryId | null;
}

/** The message of a shown entry, or null: a note has none. */
export function messageIn(placed: Placed): Message | null {
  return placed.entry.kind === 'message' ? placed.entry.message : null;
}

export function itemsInForce(placed: Placed): readonly ReductionItem[] {
  return placed.shape.kind === 'reduced' ? placed.shape.items : [];
}

/** Items in force once `added` come on top: the newest per part counts. */
export function mergedItems(before: readonly ReductionItem[], added: readonly ReductionItem[]): readonly ReductionItem[] {
  const kept = before.filter((old) => !added.some((item) => item.part === old.part && item.target === old.target));
  return [...kept, ...added];
}

/** Bundles in order; together they are all of `shown`. A group that is interrupted takes what stands inside it along. */
export function bundlesOf(shown: readonly Shown[]): readonly Bundle[] {
  const ends = groupEnds(shown);
  const bundles: Bundle[] = [];
  let turn: EntryId | null = null;
  for (let from = 0; from < shown.length;) {
    const to = hullEnd(shown, from, ends);
    turn = turnAt(shown[from], turn);
    bundles.push({ from, to, kind: kindOf(shown[from]), tokens: sumTokens(shown, from, to), turn });
    from = to;
  }
  return bundles;
}

function kindOf(block: Shown | undefined): Bundle['kind'] {
  if (block?.kind === 'summary' || block?.kind === 'gap') return block.kind;
  return isShownEntry(block) ? 'entries' : 'silent';
}

/** Position of the last visible block of each group. */
function groupEnds(shown: readonly Shown[]): ReadonlyMap<EntryId, number> {
  const ends = new Map<EntryId, number>();
  shown.forEach((block, at) => {
    if (isShownEntry(block)) ends.set(block.placed.group, at);
  });
  return ends;
}

function hullEnd(shown: readonly Shown[], from: number, ends: ReadonlyMap<EntryId, number>): number {
  let last = from;
  for (let at = from; at <= last; at += 1) {
    const block = shown[at];
    if (isShownEntry(block)) last = Math.max(last, ends.get(block.placed.group) ?? at);
  }
  return last + 1;
}

/** Entries carry their turn; one without belongs to the person's input before it. */
function turnAt(block: Shown | undefined, before: EntryId | null): EntryId | null {
  if (block?.kind !== 'entry') return before;
  const { entry } = block.placed;
  if (entry.turn !== null) return entry.turn;
  return entry.kind === 'message' && entry.origin === 'user_input' ? entry.id : before;
}

function sumTokens(shown: readonly Shown[], from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) {
    const block = shown[at];
    if (block !== undefined) sum += shownTokensOf(block);
  }
  return sum;
}
