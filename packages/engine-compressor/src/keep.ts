/** Which bundles stay as they are shown now. Pure; everything else is covered. */
import type { EntryId } from '@palimpsest/contracts';
import { hasRealUser, hasReply, holds, openBatch, startsWithResult } from './facts.ts';
import { tailFloor, type TailLimits } from './limits.ts';
import { tokensOf, type Bundle } from './bundles.ts';

export interface Keep {
  readonly bundles: readonly Bundle[];
  /** From {@link mustKeep}. */
  readonly must: readonly boolean[];
  /** Tokens that what is kept may cost in all. */
  readonly roomTokens: number;
  /** Messages at the root to keep. */
  readonly headMessages: number;
  readonly tail: TailLimits;
  readonly protectLastN: number;
  readonly userMessages: number;
}

/** Protected entries, an open batch, and a logged summary whose text cannot be read: covering it would lose it. */
export function mustKeep(bundles: readonly Bundle[], protectedEntries: ReadonlySet<EntryId>): readonly boolean[] {
  const open = openBatch(bundles);
  return bundles.map(
    (bundle, at) =>
      at === open ||
      holds(bundle, protectedEntries) ||
      (bundle.kind === 'logged' && bundle.segment.show === 'summary' && bundle.text === null),
  );
}

export function keptTokens(bundles: readonly Bundle[], kept: readonly boolean[]): number {
  return tokensOf(bundles.filter((_, at) => kept[at] === true));
}

/**
 * What yields first is taken last: newest bundle, last visible reply, newest user messages, head, then the tail from the newest on.
 * Nothing but `must` is ever taken beyond the room.
 */
export function chooseKept(keep: Keep): readonly boolean[] {
  const taking = new Taking(keep);
  taking.take(keep.bundles.findLastIndex((bundle, at) => at === keep.bundles.length - 1 && !startsWithResult(bundle)));
  taking.take(keep.bundles.findLastIndex(hasReply));
  for (const at of newestUsers(keep)) taking.take(at);
  const behindHead = takeHead(keep, taking);
  takeTail(keep, taking, behindHead);
  return taking.kept;
}

class Taking {
  readonly kept: boolean[];
  readonly #bundles: readonly Bundle[];
  #leftTokens: number;

  constructor({ bundles, must, roomTokens }: Keep) {
    this.#bundles = bundles;
    this.kept = [...must];
    this.#leftTokens = roomTokens - keptTokens(bundles, must);
  }

  /** True: the bundle is kept now. */
  take(at: number): boolean {
    const bundle = this.#bundles[at];
    if (bundle === undefined || bundle.kind === 'logged') return false;
    if (this.kept[at] === true) return true;
    if (bundle.tokens > this.#leftTokens) return false;
    this.#leftTokens -= bundle.tokens;
    this.kept[at] = true;
    return true;
  }

  giveBack(at: number): void {
    this.#leftTokens += this.#bundles[at]?.tokens ?? 0;
    this.kept[at] = false;
  }
}

function newestUsers({ bundles, userMessages }: Keep): readonly number[] {
  return bundles
    .flatMap((bundle, at) => (hasRealUser(bundle) ? [at] : []))
    .reverse()
    .slice(0, userMessages);
}

/** Returns the first index behind the head. */
function takeHead({ bundles, headMessages }: Keep, taking: Taking): number {
  let messages = 0;
  for (const [at, bundle] of bundles.entries()) {
    if (messages >= headMessages || bundle.kind === 'logged' || !taking.take(at)) return at;
    messages += bundle.messages;
  }
  return bundles.length;
}

function takeTail({ bundles, tail, protectLastN }: Keep, taking: Taking, behindHead: number): void {
  const floor = tailFloor(
    protectLastN,
    bundles.slice(behindHead).reduce((sum, bundle) => sum + (bundle.kind === 'entries' ? bundle.messages : 0), 0),
  );
  const soft = tailStart(bundles, behindHead, tail.ceilingTokens, floor);
  // All of it under the ceiling would leave nothing to cover, so the ceiling does not count then.
  const wanted = soft <= behindHead ? tailStart(bundles, behindHead, tail.budgetTokens, floor) : soft;
  const before = [...taking.kept];
  let start = bundles.length;
  while (start > wanted && taking.take(start - 1)) start -= 1;
  for (let at = start; at < bundles.length; at += 1) {
    const bundle = bundles[at];
    if (bundle === undefined || !startsWithResult(bundle) || before[at] === true) return;
    taking.giveBack(at);
  }
}

/** Index of the tail's oldest bundle when it may cost `tokens`, or more until it has `floor` messages. */
function tailStart(bundles: readonly Bundle[], behindHead: number, tokens: number, floor: number): number {
  let cost = 0;
  let messages = 0;
  for (let at = bundles.length - 1; at >= behindHead; at -= 1) {
    const bundle = bundles[at];
    if (bundle === undefined || bundle.kind === 'logged') return at + 1;
    cost += bundle.tokens;
    if (cost > tokens && messages >= floor) return at + 1;
    messages += bundle.messages;
  }
  return behindHead;
}
