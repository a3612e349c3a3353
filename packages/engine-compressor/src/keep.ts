/** Which units stay as they are shown now. Pure; everything else is covered. */
import type { EntryId } from '@palimpsest/contracts';
import { hasRealUser, hasReply, holds, openBatch, startsWithResult } from './facts.ts';
import { tailFloor, type TailLimits } from './limits.ts';
import { tokensOf, type Unit } from './units.ts';

export interface Keep {
  readonly units: readonly Unit[];
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
export function mustKeep(units: readonly Unit[], protectedEntries: ReadonlySet<EntryId>): readonly boolean[] {
  const open = openBatch(units);
  return units.map(
    (unit, at) =>
      at === open || holds(unit, protectedEntries) || (unit.kind === 'logged' && unit.segment.show === 'summary' && unit.text === null),
  );
}

export function keptTokens(units: readonly Unit[], kept: readonly boolean[]): number {
  return tokensOf(units.filter((_, at) => kept[at] === true));
}

/**
 * What yields first is taken last: newest unit, last visible reply, newest user messages, head, then the tail from the newest on.
 * Nothing but `must` is ever taken beyond the room.
 */
export function chooseKept(keep: Keep): readonly boolean[] {
  const taking = new Taking(keep);
  taking.take(keep.units.findLastIndex((unit, at) => at === keep.units.length - 1 && !startsWithResult(unit)));
  taking.take(keep.units.findLastIndex(hasReply));
  for (const at of newestUsers(keep)) taking.take(at);
  const behindHead = takeHead(keep, taking);
  takeTail(keep, taking, behindHead);
  return taking.kept;
}

class Taking {
  readonly kept: boolean[];
  readonly #units: readonly Unit[];
  #leftTokens: number;

  constructor({ units, must, roomTokens }: Keep) {
    this.#units = units;
    this.kept = [...must];
    this.#leftTokens = roomTokens - keptTokens(units, must);
  }

  /** True: the unit is kept now. */
  take(at: number): boolean {
    const unit = this.#units[at];
    if (unit === undefined || unit.kind === 'logged') return false;
    if (this.kept[at] === true) return true;
    if (unit.tokens > this.#leftTokens) return false;
    this.#leftTokens -= unit.tokens;
    this.kept[at] = true;
    return true;
  }

  giveBack(at: number): void {
    this.#leftTokens += this.#units[at]?.tokens ?? 0;
    this.kept[at] = false;
  }
}

function newestUsers({ units, userMessages }: Keep): readonly number[] {
  return units
    .flatMap((unit, at) => (hasRealUser(unit) ? [at] : []))
    .reverse()
    .slice(0, userMessages);
}

/** Returns the first index behind the head. */
function takeHead({ units, headMessages }: Keep, taking: Taking): number {
  let messages = 0;
  for (const [at, unit] of units.entries()) {
    if (messages >= headMessages || unit.kind === 'logged' || !taking.take(at)) return at;
    messages += unit.messages;
  }
  return units.length;
}

function takeTail({ units, tail, protectLastN }: Keep, taking: Taking, behindHead: number): void {
  const floor = tailFloor(
    protectLastN,
    units.slice(behindHead).reduce((sum, unit) => sum + (unit.kind === 'entries' ? unit.messages : 0), 0),
  );
  const soft = tailStart(units, behindHead, tail.ceilingTokens, floor);
  // All of it under the ceiling would leave nothing to cover, so the ceiling does not count then.
  const wanted = soft <= behindHead ? tailStart(units, behindHead, tail.budgetTokens, floor) : soft;
  const before = [...taking.kept];
  let start = units.length;
  while (start > wanted && taking.take(start - 1)) start -= 1;
  for (let at = start; at < units.length; at += 1) {
    const unit = units[at];
    if (unit === undefined || !startsWithResult(unit) || before[at] === true) return;
    taking.giveBack(at);
  }
}

/** Index of the tail's oldest unit when it may cost `tokens`, or more until it has `floor` messages. */
function tailStart(units: readonly Unit[], behindHead: number, tokens: number, floor: number): number {
  let cost = 0;
  let messages = 0;
  for (let at = units.length - 1; at >= behindHead; at -= 1) {
    const unit = units[at];
    if (unit === undefined || unit.kind === 'logged') return at + 1;
    cost += unit.tokens;
    if (cost > tokens && messages >= floor) return at + 1;
    messages += unit.messages;
  }
  return behindHead;
}
