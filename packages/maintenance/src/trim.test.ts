import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Budget, Drafts, EntryId, Shown } from '@palimpsest/contracts';
import { branchOf, newestUserOf, shownTokensOf, type Asked, type Say } from './fixtures/branch.ts';
import { budgetOf } from './fixtures/budgets.ts';
import { testMeasure } from './fixtures/counting.ts';
import { applied } from './fixtures/fold.ts';
import { noticeText } from './notice.ts';
import { planTrim } from './trim.ts';
import type { Trim } from './trimming.ts';
import { isVisible } from './units.ts';

const HOST = 'host' as EntryId;

function trimmed(shown: readonly Shown[], budget: Budget): { readonly trim: Trim; readonly after: readonly Shown[]; readonly tokens: number } {
  const newestUserEntry = newestUserOf(shown);
  const trim = planTrim({ shown, budget, newestUserEntry, goalTokens: budget.marks.low - 1 - budget.fixed.total, ceilingTokens: budget.available }, testMeasure);
  const drafts: Drafts = { ...(trim.segments === null ? {} : { compaction: { segments: trim.segments } }), reductions: trim.items };
  const after = applied(shown, drafts, HOST, newestUserEntry);
  return { trim, after, tokens: shownTokensOf(after) };
}

const lines = (count: number, text = 'some line of a log file with a few words'): string => Array.from({ length: count }, (_, at) => `${String(at)} ${text}`).join('\n');
const texts = (shown: readonly Shown[]): string => JSON.stringify(shown);
const visibleIds = (shown: readonly Shown[]): readonly string[] => shown.filter(isVisible).map(({ placed }) => placed.entry.id);

describe('protected trim', () => {
  it('covers the oldest whole turns and no more than needed', () => {
    const turn = (name: string): Say[] => [{ user: `${name} ${'x'.repeat(4_000)}` }, { says: 'y'.repeat(4_000) }];
    const shown = branchOf([...turn('one'), ...turn('two'), ...turn('three'), ...turn('four'), ...turn('five')]);
    const { after, trim, tokens } = trimmed(shown, budgetOf(10_500));
    expect(visibleIds(after)).toEqual(['e7', 'e8', 'e9', 'e10']);
    expect(trim.items).toEqual([]);
    expect(tokens).toBeLessThan(budgetOf(10_500).marks.low);
    expect(after[0]).toMatchObject({ kind: 'summary', segment: { quality: 'notice', text: { inline: noticeText({ messages: 6, summaries: 0, tokens: 6_010 }) } } });
  });
});
