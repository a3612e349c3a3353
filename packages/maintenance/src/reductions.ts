/** Rung 1: which old tool results and arguments are from now on shown shorter. Pure. */
import { isShownEntry } from '@palimpsest/contracts';
import type { Budget, EntryId, ReductionItem, Shown } from '@palimpsest/contracts';
import { shrunkJson } from './json-window.ts';
import type { Measure } from './measure.ts';
import { partsOf, type Part } from './parts.ts';
import { isWholeLook, keyOf, protectionOf, targetOf, type Protection } from './protection.ts';
import { isReduced, pointerOf, stubOf } from './stub.ts';
import { itemsInForce, mergedItems, messageIn } from './bundles.ts';

/** Shorter results are left alone: a stub would hardly be shorter. Characters. */
const SMALL = 200;
/** Arguments below this size are left alone; string leaves above {@link SMALL} are cut. Characters of JSON. */
const SMALL_ARGUMENTS = 500;

export interface ReductionAsk {
  readonly shown: readonly Shown[];
  readonly budget: Budget;
  readonly newestUserEntry: EntryId | null;
  /** Shown tokens of the branch now, and where old results may stop being shortened. */
  readonly shownTokens: number;
  readonly goalTokens: number;
}

/** Least gain that rung 1 breaks the prefix for: nothing once the request is at its start mark or above. Tokens. */
export function minimumGain(budget: Budget, requestTokens: number): number {
  return requestTokens >= budget.marks.start ? 0 : Math.min(20_000, Math.floor(budget.available * 0.1));
}

type Change = Pick<ReductionItem, 'text' | 'reason'> & { readonly part: Part };

/**
 * Copies and superseded looks always; then old results and arguments, oldest first, until the goal is reached. Every item makes its
 * entry cheaper; protected results and the open tool batch are never in it.
 */
export function planReductions(ask: ReductionAsk, measure: Measure): readonly ReductionItem[] {
  const parts = partsOf(ask.shown);
  const protection = protectionOf(ask.shown, parts, ask.budget, ask.newestUserEntry);
  const free = parts.filter((part) => isFree(part, protection));
  const repeated = [...repeatedResults(parts, free)];
  const taken = new Set(repeated.map(({ part }) => part));
  const old = free.filter((part) => !taken.has(part)).flatMap(shortened);
  return chosen(ask, groupedByEntry(repeated), groupedByEntry(old), measure);
}

/** Rung 1 never touches what is protected, what is small, and what is shown shorter already. */
function isFree(part: Part, protection: Protection): boolean {
  if (part.target === 'text' || part.group === protection.openGroup || isReduced(part)) return false;
  return part.original.length >= (part.target === 'arguments' ? SMALL_ARGUMENTS : SMALL) && !protection.kept.has(keyOf(part));
}

/** Older copies of a result, and looks that a later look of the same thing replaces. */
function* repeatedResults(parts: readonly Part[], free: readonly Part[]): Generator<Change> {
  const candidates = new Set(free);
  const newest = new Map<string, Part>();
  const looks = new Map<string, Part>();
  for (const part of parts.toReversed()) {
    if (part.target !== 'result') continue;
    const target = targetOf(part);
    const copy = newest.get(part.original);
    const later = target === null ? undefined : looks.get(target);
    if (candidates.has(part) && copy !== undefined) yield { part, text: pointerOf(part, copy), reason: 'superseded' };
    else if (candidates.has(part) && later !== undefined && replaces(later, part))
      yield { part, text: stubOf(part, 'looked at again later'), reason: 'superseded' };
    else if (copy === undefined && !isReduced(part)) newest.set(part.original, part);
    if (target !== null && !part.failed && !looks.has(target)) looks.set(target, part);
  }
}

function replaces(later: Part, earlier: Part): boolean {
  return isWholeLook(later.input) || JSON.stringify(later.input) === JSON.stringify(earlier.input);
}

function shortened(part: Part): readonly Change[] {
  if (part.target === 'result') return [{ part, text: stubOf(part), reason: 'pruned' }];
  const text = JSON.stringify(shrunkJson(part.input, { leaf: SMALL, members: Number.MAX_SAFE_INTEGER, depth: Number.MAX_SAFE_INTEGER }));
  return text.length < part.original.length ? [{ part, text, reason: 'pruned' }] : [];
}

function groupedByEntry(changes: readonly Change[]): readonly (readonly Change[])[] {
  const byEntry = Map.groupBy(changes, ({ part }) => part.at);
  return [...byEntry].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function chosen(
  ask: ReductionAsk,
  always: readonly (readonly Change[])[],
  untilGoal: readonly (readonly Change[])[],
  measure: Measure,
): readonly ReductionItem[] {
  const byEntry = new Map<EntryId, readonly ReductionItem[]>();
  let tokens = ask.shownTokens;
  const take = (changes: readonly Change[]): void => {
    const made = itemsFor(ask.shown, changes, byEntry, measure);
    if (made === null) return;
    byEntry.set(made.entry, made.items);
    tokens -= made.gain;
  };
  always.forEach(take);
  for (const changes of untilGoal) {
    if (tokens <= ask.goalTokens) break;
    take(changes);
  }
  return [...byEntry.values()].flat();
}

/** All items of one entry, each with the entry's final total; null when the entry would not get cheaper. */
function itemsFor(
  shown: readonly Shown[],
  changes: readonly Change[],
  before: ReadonlyMap<EntryId, readonly ReductionItem[]>,
  measure: Measure,
): { entry: EntryId; items: readonly ReductionItem[]; gain: number } | null {
  const block = shown[changes[0]?.part.at ?? -1];
  if (!isShownEntry(block)) return null;
  const message = messageIn(block.placed);
  if (message === null) return null;
  const entry = block.placed.entry.id;
  const earlier = before.get(entry) ?? [];
  const fresh = changes.map(({ part, text, reason }): ReductionItem => ({
    entry,
    part: part.part,
    target: part.target,
    text,
    tokens: 0,
    reason,
  }));
  const added = [...earlier, ...fresh];
  const tokens = measure.message(message, mergedItems(itemsInForce(block.placed), added));
  const gain = (earlier[0]?.tokens ?? block.placed.shownTokens) - tokens;
  return gain <= 0 ? null : { entry, items: added.map((item) => ({ ...item, tokens })), gain };
}
