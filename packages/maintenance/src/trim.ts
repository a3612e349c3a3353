/** Rung 4: down to a goal without any model, whatever the branch holds. Pure. */
import type { EntryId } from '@palimpsest/contracts';
import type { Measure } from './measure.ts';
import { noticeText } from './notice.ts';
import type { Part } from './parts.ts';
import { Trimming, type Trim, type TrimAsk } from './trimming.ts';

/** Smallest windows, in tokens: as long as room is made for comfort, and when all else is gone. */
const COMFORT = 300;
const BARE = 48;

/**
 * Oldest turns, then oldest groups of the running turn, give way to a notice; then protection yields: results of the open batch,
 * largest first, its arguments, other results, a person's input above half of what is available, the batch's own text. Only when that
 * is still above the ceiling: windows down to their mark, everything but the newest input and the open batch, old summaries, at last
 * the batch itself.
 */
export function planTrim(ask: TrimAsk, measure: Measure): Trim {
  const work = new Trimming(ask, measure);
  const { turns, groups } = coverOrder(work);
  work.cover([...turns, ...groups], ask.goalTokens);
  for (const { parts, floor } of yielding(work, COMFORT)) work.squeeze(parts, ask.goalTokens, floor);
  for (const { parts, floor } of yielding(work, BARE)) work.squeeze(parts, ask.ceilingTokens, floor);
  work.cover(
    work.indexes((bundle, index) => bundle.kind === 'entries' && !work.isLast(index)),
    ask.ceilingTokens,
  );
  work.cover(
    work.indexes((bundle) => bundle.kind === 'summary'),
    ask.ceilingTokens,
  );
  work.cover(
    work.indexes((bundle, index) => bundle.kind === 'entries' && !work.holdsUserInput(index)),
    ask.ceilingTokens,
  );
  return work.result();
}

/**
 * Whether a trim can reach the ceiling at all: the newest input stays, in its smallest windows, between notices for what stands before and
 * behind it. Only that input is looked at, however long the branch is. Pure.
 */
export function canFit(ask: TrimAsk, measure: Measure): boolean {
  const { shown } = ask;
  const at = shown.findLastIndex((unit) => unit.kind === 'entry' && unit.placed.entry.id === ask.newestUserEntry);
  const sides = [at, shown.length - 1 - at].filter((units) => units > 0).length;
  const notice = measure.summary(noticeText({ messages: shown.length, summaries: 1, tokens: ask.budget.window.tokens }));
  const ceilingTokens = ask.ceilingTokens - sides * notice;
  const input = shown.slice(at, at + 1);
  return ceilingTokens > 0 && (at < 0 || planTrim({ ...ask, shown: input, ceilingTokens }, measure).tokens <= ceilingTokens);
}

/** Whole turns before the running one, one step each; then each unprotected bundle of the running turn. */
function coverOrder(work: Trimming): { readonly turns: readonly (readonly number[])[]; readonly groups: readonly (readonly number[])[] } {
  const running = work.bundles.findLast(({ kind }) => kind === 'entries')?.turn ?? null;
  const free = work.indexes((bundle, index) => bundle.kind === 'entries' && !work.isProtected(index)).flat();
  const turnOf = (index: number): EntryId | null => work.bundles[index]?.turn ?? null;
  const old = Map.groupBy(
    free.filter((index) => turnOf(index) !== running),
    turnOf,
  );
  return { turns: [...old.values()], groups: free.filter((index) => turnOf(index) === running).map((index) => [index]) };
}

/** In the order in which protection yields. */
function yielding(work: Trimming, floor: number): readonly { readonly parts: readonly Part[]; readonly floor: number }[] {
  const { openGroup } = work.protection;
  const open = work.parts.filter(({ group }) => group === openGroup);
  const input = work.userInput().filter(({ at }) => work.tokensAt(at) > work.ask.budget.available / 2);
  return [
    { parts: open.filter(({ target }) => target === 'result'), floor },
    { parts: open.filter(({ target }) => target === 'arguments'), floor },
    { parts: work.parts.filter(({ target, group }) => target === 'result' && group !== openGroup), floor },
    { parts: input, floor: Math.max(floor, Math.floor(work.ask.budget.available / 4)) },
    { parts: open.filter(({ target }) => target === 'text'), floor },
  ];
}
