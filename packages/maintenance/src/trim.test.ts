import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShownEntry, reducedMessage, shownTokensOf } from '@palimpsest/contracts';
import type { Budget, Drafts, EntryId, ReductionItem, Shown } from '@palimpsest/contracts';
import { branchOf, newestUserOf, branchTokens, type Asked, type Say } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { testMeasure } from '../test/counting.ts';
import { applied } from '../test/fold.ts';
import { anyMonster } from '../test/monsters.ts';
import { noticeText } from './notice.ts';
import { canFit, planTrim } from './trim.ts';
import type { Trim } from './trimming.ts';
import { itemsInForce, messageIn } from './bundles.ts';

const HOST = 'host' as EntryId;
/** What always stays, with the notices around it: a newest input cut down to its mark. */
const FLOOR = 320;

interface Trimmed {
  readonly trim: Trim;
  readonly after: readonly Shown[];
  readonly tokens: number;
}

function trimmed(shown: readonly Shown[], budget: Budget): Trimmed {
  const newestUserEntry = newestUserOf(shown);
  const trim = planTrim(
    { shown, budget, newestUserEntry, goalTokens: Math.max(0, budget.marks.low - 1 - budget.fixed.total), ceilingTokens: budget.available },
    testMeasure,
  );
  const drafts: Drafts = { ...(trim.segments === null ? {} : { compaction: { segments: trim.segments } }), reductions: trim.items };
  const after = applied(shown, drafts, HOST, newestUserEntry);
  return { trim, after, tokens: branchTokens(after) };
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${String(at)} some line of a log file with a few words`).join('\n');
const visibleIds = (shown: readonly Shown[]): readonly string[] => shown.filter(isShownEntry).map(({ placed }) => placed.entry.id);
const isLow = (tokens: number, budget: Budget): boolean => tokens + budget.fixed.total < budget.marks.low;
const targetsOf = (items: readonly ReductionItem[]): readonly string[] => [...new Set(items.map(({ target }) => target))];
const read = (path: string, result: Asked['result']): Asked => ({ tool: 'read', input: { path }, result });
const small = read('small.ts', 'ok');

describe('protected trim: what goes first', () => {
  const turn = (name: string): Say[] => [{ user: `${name} ${'x'.repeat(4_000)}` }, { says: 'y'.repeat(4_000) }];

  it('covers the oldest whole turns and no more than needed', () => {
    const shown = branchOf([...turn('one'), ...turn('two'), ...turn('three'), ...turn('four'), ...turn('five')]);
    const { after, trim, tokens } = trimmed(shown, budgetOf(10_500));
    expect(visibleIds(after)).toEqual(['e7', 'e8', 'e9', 'e10']);
    expect(trim.items).toEqual([]);
    expect(isLow(tokens, budgetOf(10_500))).toBe(true);
    expect(after[0]).toMatchObject({
      kind: 'summary',
      segment: { quality: 'notice', text: { inline: noticeText({ messages: 6, summaries: 0, tokens: 6_010 }) } },
    });
  });

  it('then the oldest whole groups of the running turn; the newest input stays in place', () => {
    const group: Say = { calls: [{ tool: 'bash', input: { command: 'make' }, result: lines(85) }] };
    const shown = branchOf([...turn('old'), { user: 'the task' }, ...Array.from({ length: 14 }, () => group)]);
    const budget = { ...budgetOf(14_000), marks: { ...budgetOf(14_000).marks, low: 11_000 } };
    const { after, trim, tokens } = trimmed(shown, budget);
    expect(visibleIds(after).slice(0, 3)).toEqual(['e3', 'e12', 'e13']);
    expect(visibleIds(after)).toHaveLength(21);
    expect(trim.items).toEqual([]);
    expect(after.map(({ kind }) => kind).slice(0, 3)).toEqual(['summary', 'entry', 'summary']);
    expect(isLow(tokens, budget)).toBe(true);
  });

  it('keeps skill results and the newest look at a file longer than other old groups', () => {
    const skill: Say = { calls: [{ tool: 'use_skill', input: { name: 'deploy' }, result: lines(20) }] };
    const look: Say = { calls: [read('plan.md', lines(20))] };
    const bulk: Say = { calls: [{ tool: 'bash', input: { command: 'make' }, result: lines(200) }] };
    const shown = branchOf([{ user: 'task' }, skill, look, bulk, bulk, bulk, bulk]);
    const { after } = trimmed(shown, budgetOf(9_000));
    expect(visibleIds(after)).toEqual(expect.arrayContaining(['e1', 'e2', 'e3', 'e4', 'e5']));
    expect(visibleIds(after)).not.toContain('e6');
  });

  it('leaves summaries in front as they are', () => {
    const shown = branchOf([...turn('one'), ...turn('two'), ...turn('three')]);
    const segment = {
      through: 'e2' as EntryId,
      show: 'summary' as const,
      text: { inline: 'what happened first' },
      tokens: 40,
      quality: 'model' as const,
      trust: 'user' as const,
    };
    const summarised = applied(shown, { compaction: { segments: [segment] } }, HOST, null);
    const { trim } = trimmed(summarised, budgetOf(4_000));
    expect(trim.segments?.[0]).toEqual(segment);
    expect(trim.segments?.[1]).toMatchObject({ through: 'e4', quality: 'notice' });
  });

  it('lets a summary go when nothing else is left to give', () => {
    const shown = branchOf([...turn('one'), { user: 'go on' }]);
    const segment = {
      through: 'e2' as EntryId,
      show: 'summary' as const,
      text: { inline: 'x' },
      tokens: 5_000,
      quality: 'model' as const,
      trust: 'user' as const,
    };
    const { after } = trimmed(applied(shown, { compaction: { segments: [segment] } }, HOST, null), budgetOf(2_000));
    expect(after[0]).toMatchObject({
      kind: 'summary',
      through: 'e2',
      segment: { text: { inline: noticeText({ messages: 0, summaries: 1, tokens: 5_000 }) } },
    });
  });

  it('adds to the notice of the trim before instead of writing another one', () => {
    const budget = budgetOf(6_000);
    const first = trimmed(branchOf([...turn('one'), ...turn('two'), ...turn('three'), ...turn('four')]), budgetOf(11_000)).after;
    const second = trimmed(first, budget).after;
    expect(first[0]).toMatchObject({ segment: { text: { inline: noticeText({ messages: 4, summaries: 0, tokens: 4_006 }) } } });
    expect(second.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
    expect(second[0]).toMatchObject({
      through: 'e6',
      segment: { text: { inline: noticeText({ messages: 6, summaries: 0, tokens: 6_010 }) } },
    });
  });

  it('does not put a notice where it would cost more than what it stands for', () => {
    const shown = branchOf([{ user: 'hi' }, { says: 'ok' }, { user: 'big' }, { calls: [read('a', lines(2_000))] }]);
    expect(trimmed(shown, budgetOf(8_000)).trim.segments).toBeNull();
  });
});

describe('protected trim: when protection yields', () => {
  const budget = budgetOf(24_000);

  it('ten parallel results of 20,000 tokens become windows of one size, with head, mark, tail and reference', () => {
    const shown = branchOf([{ user: 'read all' }, { calls: Array.from({ length: 10 }, (_, at) => read(`f${String(at)}`, lines(1_700))) }]);
    const { trim, tokens } = trimmed(shown, budget);
    expect(isLow(tokens, budget)).toBe(true);
    expect(tokens).toBeGreaterThan((budget.marks.low - budget.fixed.total) * 0.85);
    expect(trim.items).toHaveLength(10);
    expect(trim.items[0]?.text).toMatch(
      /^0 some line[\s\S]*\n\[… \d+ characters, \d+ lines left out to fit; all of it is in the session log, entry e3 …\]\n[\s\S]*1699 some line of a log file with a few words$/u,
    );
  });

  it('takes from the largest result only, while that is enough', () => {
    const shown = branchOf([{ user: 'go' }, { calls: [read('a', lines(100)), read('b', lines(4_000)), read('c', lines(150))] }]);
    expect(trimmed(shown, budget).trim.items.map(({ entry }) => entry)).toEqual(['e4']);
  });

  it('a file write of 60 KB: its arguments stay JSON of the same shape', () => {
    const input = { path: 'out.txt', content: lines(5_000), flags: ['a', 'b'] };
    const { trim, tokens } = trimmed(branchOf([{ user: 'write' }, { calls: [{ tool: 'write', input, result: 'written' }] }]), budget);
    const [item] = trim.items;
    expect(isLow(tokens, budget)).toBe(true);
    expect(targetsOf(trim.items)).toEqual(['arguments']);
    expect(JSON.parse(item?.text ?? '')).toMatchObject({
      path: 'out.txt',
      flags: ['a', 'b'],
      content: expect.stringMatching(/^0 some line[\s\S]*characters left out[\s\S]*with a few words$/u) as string,
    });
  });

  it('a newest input above half of what is available becomes a window, a smaller one never', () => {
    const large = trimmed(branchOf([{ user: lines(4_000) }]), budget);
    expect(large.trim.items).toMatchObject([{ entry: 'e1', target: 'text', part: null }]);
    expect(isLow(large.tokens, budget)).toBe(true);
    const smaller = trimmed(
      branchOf([{ user: lines(900) }, { calls: Array.from({ length: 40 }, (_, at) => read(`f${String(at)}`, lines(1_700))) }]),
      budget,
    );
    expect(smaller.trim.items.map(({ target }) => target)).not.toContain('text');
    expect(smaller.tokens).toBeLessThanOrEqual(budget.available);
  });

  it('a newest input keeps a quarter of what is available as long as results can still give', () => {
    const { trim, tokens, after } = trimmed(
      branchOf([{ user: lines(9_000) }, { calls: Array.from({ length: 30 }, (_, at) => read(`f${String(at)}`, lines(400))) }]),
      budget,
    );
    expect(trim.items.map(({ target }) => target)).toContain('text');
    expect(shownTokensOf(after[0] as Shown)).toBeGreaterThan((budget.available / 4) * 0.9);
    expect(tokens).toBeLessThanOrEqual(budget.available);
  });

  it('images of a newest input go with its window', () => {
    const { trim, tokens } = trimmed(branchOf([{ user: 'look', images: 12 }]), budget);
    expect(trim.items).toMatchObject([{ target: 'text', text: expect.stringContaining('[image]') as string }]);
    expect(tokens).toBeLessThan(200);
  });

  it('the text of an open batch is the last to become a window', () => {
    const { trim, tokens } = trimmed(branchOf([{ user: 'go' }, { says: lines(3_000), calls: [small] }]), budget);
    expect(targetsOf(trim.items)).toEqual(['text']);
    expect(isLow(tokens, budget)).toBe(true);
  });

  it('five hundred calls at once do not fit even as marks: the batch is covered, the input stays', () => {
    const shown = branchOf([{ user: 'all of them' }, { calls: Array.from({ length: 500 }, (_, at) => read(`f${String(at)}`, lines(40))) }]);
    const { after, tokens } = trimmed(shown, budget);
    expect(tokens).toBeLessThanOrEqual(budget.available);
    expect(visibleIds(after)).toEqual(['e1']);
  });

  it('reckons with what escapes cost on the wire, also where the first cut would not pay', () => {
    const skills: Say[] = Array.from({ length: 20 }, (_, at) => ({
      calls: [{ tool: 'use_skill', input: {}, result: `${String(at)} "quoted" and\n`.repeat(90) }],
    }));
    const shown = branchOf([{ user: 'go' }, ...skills]);
    const total = branchTokens(shown);
    const tight = { ...budget, marks: { ...budget.marks, low: total + budget.fixed.total - 500 } };
    expect(isLow(trimmed(shown, tight).tokens, tight)).toBe(true);
  });

  it('cuts a window again from the original, not from the window', () => {
    const shown = branchOf([{ user: 'go' }, { calls: [read('a', lines(3_000))] }]);
    const once = trimmed(shown, budget).after;
    const twice = trimmed(once, budgetOf(6_000));
    const leftOut = Number(/… (\d+) characters/u.exec(twice.trim.items[0]?.text ?? '')?.[1]);
    expect(leftOut).toBeGreaterThan(lines(3_000).length * 0.8);
    expect(isLow(twice.tokens, budgetOf(6_000))).toBe(true);
  });
});

describe('protected trim: on any branch', () => {
  const anyBudget = fc
    .integer({ min: FLOOR, max: 16_000 })
    .chain((available) => fc.constantFrom(0, 200, 2_000).map((fixed) => budgetOf(available + fixed, fixed)));

  it('the request fits, the newest input is shown, no edge cuts a group or an older summary', () => {
    fc.assert(
      fc.property(anyMonster, anyBudget, (says, budget) => {
        const shown = branchOf(says);
        fc.pre(branchTokens(shown) > budget.available);
        const { after, tokens } = trimmed(shown, budget);
        expect(tokens).toBeLessThanOrEqual(budget.available);
        expect(visibleIds(after)).toContain(newestUserOf(shown));
      }),
      { seed: 20_260_101, numRuns: 40 },
    );
  });

  it('again and again while the branch grows', () => {
    fc.assert(
      fc.property(fc.array(anyMonster, { minLength: 2, maxLength: 4 }), anyBudget, (parts, budget) => {
        const whole = branchOf(parts.flat());
        const ends = parts.map((_, at) => branchOf(parts.slice(0, at + 1).flat()).length);
        let after: readonly Shown[] = [];
        ends.forEach((end, at) => {
          after = [...after, ...whole.slice(ends[at - 1] ?? 0, end)];
          if (branchTokens(after) <= budget.available) return;
          const next = trimmed(after, budget);
          expect(next.tokens).toBeLessThanOrEqual(budget.available);
          after = next.after;
        });
      }),
      { seed: 20_260_102, numRuns: 15 },
    );
  });

  it('says what it costs: every item carries what its whole entry costs, arguments stay JSON, no half character', () => {
    fc.assert(
      fc.property(anyMonster, anyBudget, (says, budget) => {
        const { after, trim } = trimmed(branchOf(says), budget);
        for (const block of after) {
          const message = isShownEntry(block) ? messageIn(block.placed) : null;
          if (!isShownEntry(block) || message === null || block.placed.shape.kind !== 'reduced') continue;
          const items = itemsInForce(block.placed);
          expect(items.map(({ tokens }) => tokens)).toEqual(items.map(() => testMeasure.message(message, items)));
          expect(block.placed.shownTokens).toBeLessThan(block.placed.entry.tokens);
          expect(reducedMessage(message, items).role).toBe(message.role);
        }
        for (const { entry, target, text } of trim.items) {
          expect(visibleIds(after)).toContain(entry);
          if (target === 'arguments') expect(() => JSON.parse(text) as unknown).not.toThrow();
          expect(text.isWellFormed()).toBe(true);
        }
        expect(branchTokens(after)).toBe(trim.tokens);
      }),
      { seed: 20_260_103, numRuns: 30 },
    );
  });
});

describe('whether anything could help', () => {
  const asked = (shown: readonly Shown[], room: number): Parameters<typeof planTrim>[0] => ({
    shown,
    budget: budgetOf(20_000, 20_000 - room),
    newestUserEntry: newestUserOf(shown),
    goalTokens: Math.floor(room / 4),
    ceilingTokens: room,
  });

  it('is told from the newest input alone, as a whole trim would tell it but for its notices', () => {
    let [fitting, hopeless] = [0, 0];
    fc.assert(
      fc.property(anyMonster, fc.integer({ min: 0, max: 500 }), (says, room) => {
        const shown = branchOf(says);
        fc.pre(branchTokens(shown) > room);
        const ask = asked(shown, room);
        const can = canFit(ask, testMeasure);
        if (can) fitting += 1;
        else hopeless += 1;
        const { tokens } = planTrim(ask, testMeasure);
        const notice = testMeasure.summary(noticeText({ messages: 99, summaries: 1, tokens: 99_999 }));
        if (can) expect(tokens).toBeLessThanOrEqual(room);
        else expect(tokens + 2 * notice).toBeGreaterThan(room);
      }),
      { seed: 20_260_104, numRuns: 150 },
    );
    expect([fitting > 10, hopeless > 10]).toEqual([true, true]);
  });

  it('costs the same however long the branch is', () => {
    let counted = 0;
    const counting = {
      ...testMeasure,
      message: (...given: Parameters<typeof testMeasure.message>) => ((counted += 1), testMeasure.message(...given)),
    };
    const costs = [10, 1_000].map((turns) => {
      counted = 0;
      canFit(
        asked(branchOf(Array.from({ length: turns }, (): Say[] => [{ user: 'question' }, { says: 'y'.repeat(400) }]).flat()), 300),
        counting,
      );
      return counted;
    });
    expect(costs[1]).toBe(costs[0]);
  });
});
