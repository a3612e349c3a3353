import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Budget, EntryId, Json, ReductionItem, Shown } from '@palimpsest/contracts';
import { branchOf, newestUserOf, branchTokens, type Asked, type Say } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { testMeasure } from '../test/counting.ts';
import { applied } from '../test/fold.ts';
import { anyMonster } from '../test/monsters.ts';
import { partsOf } from './parts.ts';
import { keyOf, protectionOf } from './protection.ts';
import { minimumGain, planReductions } from './reductions.ts';

const HOST = 'host' as EntryId;
const lines = (count: number, mark = ''): string =>
  Array.from({ length: count }, (_, at) => `${mark}${String(at)} some line of output`).join('\n');
const one = (tool: string, input: Json, result: Asked['result'], failed = false): Say => ({ calls: [{ tool, input, result, failed }] });
const done: Say = { says: 'done' };

function reduced(says: readonly Say[], budget: Budget = budgetOf(2_000), goalTokens = 0): readonly ReductionItem[] {
  return plan(branchOf(says), budget, goalTokens);
}

function plan(shown: readonly Shown[], budget: Budget, goalTokens = 0): readonly ReductionItem[] {
  return planReductions({ shown, budget, newestUserEntry: newestUserOf(shown), shownTokens: branchTokens(shown), goalTokens }, testMeasure);
}

describe('what is reduced', () => {
  it('an old result becomes one line that says what it was', () => {
    const items = reduced([
      { user: 'go' },
      one('bash', { command: 'npm test' }, `PASS a\n${lines(150)}\nexit code: 1`),
      one('read', { path: 'x' }, lines(200)),
      done,
    ]);
    expect(items[0]).toMatchObject({ entry: 'e3', part: 'c0', target: 'result', reason: 'pruned' });
    expect(items[0]?.text).toBe(
      '[bash npm test | exit 1 | 152 lines, 3509 characters | first: PASS a | last: exit code: 1 | shortened to save room; the session log has it in full]',
    );
  });

  it('an error stays an error, and says so', () => {
    const items = reduced([
      { user: 'go' },
      one('bash', { command: 'make' }, lines(100), true),
      one('bash', { command: 'ls' }, lines(200)),
      done,
    ]);
    expect(items[0]?.text).toContain('[bash make | error | 100 lines');
  });

  it('an older copy points to the newer one, also when the goal is reached without it', () => {
    const same = lines(60);
    const items = reduced(
      [
        { user: 'go' },
        one('bash', { command: 'a' }, same),
        one('bash', { command: 'b' }, same),
        one('bash', { command: 'c' }, lines(300)),
        done,
      ],
      budgetOf(2_000),
      1_000_000,
    );
    expect(items).toMatchObject([
      { entry: 'e3', reason: 'superseded', text: `[bash a | the same ${String(same.length)} characters as the later result of call c0]` },
    ]);
  });

  it('a look that a later look replaces goes, one at another part of the file stays', () => {
    const says = (later: Json): readonly Say[] => [
      { user: 'go' },
      one('read', { path: 'a', offset: 5 }, lines(60, 'old ')),
      one('read', later, lines(70)),
      one('bash', {}, lines(300)),
      done,
    ];
    expect(reduced(says({ path: 'a' }), budgetOf(2_000), 1_000_000)).toMatchObject([
      { entry: 'e3', reason: 'superseded', text: expect.stringContaining('looked at again later') as string },
    ]);
    expect(reduced(says({ path: 'a', offset: 900 }), budgetOf(2_000), 1_000_000)).toEqual([]);
  });

  it('a failed later look replaces nothing', () => {
    expect(
      reduced(
        [
          { user: 'go' },
          one('read', { path: 'a' }, lines(60)),
          one('read', { path: 'a' }, lines(70), true),
          one('bash', {}, lines(300)),
          done,
        ],
        budgetOf(2_000),
        1_000_000,
      ),
    ).toEqual([]);
  });

  it('long strings in old arguments are cut inside their structure', () => {
    const input = { path: 'a.ts', content: lines(90), nested: { list: ['short', lines(50)] } };
    const [item] = reduced([{ user: 'go' }, one('write', input, 'ok'), one('bash', {}, lines(300)), done], budgetOf(1_000));
    expect(item).toMatchObject({ entry: 'e2', target: 'arguments', part: 'c0' });
    const text = JSON.parse(item?.text ?? '') as typeof input;
    expect(text).toMatchObject({ path: 'a.ts', nested: { list: ['short', expect.stringContaining('characters left out') as string] } });
    expect(text.content.length).toBeLessThan(260);
  });

  it('stops at the oldest that bring the branch to the goal', () => {
    const says: readonly Say[] = [
      { user: 'go' },
      ...Array.from({ length: 8 }, (_, at) => one('bash', { command: `step ${String(at)}` }, lines(100, String(at)))),
      done,
    ];
    const total = branchTokens(branchOf(says));
    expect(reduced(says, budgetOf(2_000), total - 1_000).map(({ entry }) => entry)).toEqual(['e3', 'e5']);
  });
});

describe('what is left alone', () => {
  const old: Say = one('bash', { command: 'x' }, lines(100));

  it('the open batch, whatever its size', () => {
    expect(
      reduced([
        { user: 'go' },
        { calls: Array.from({ length: 5 }, (_, at) => ({ tool: 'bash', input: { at, content: lines(90) }, result: lines(800) })) },
      ]),
    ).toEqual([]);
  });

  it('skill results and the newest tool tokens', () => {
    expect(reduced([{ user: 'go' }, one('use_skill', { name: 's' }, lines(100)), old, done], budgetOf(5_000))).toEqual([]);
  });

  it('the newest look at a file, as far as half of the allowance goes', () => {
    const looks = Array.from({ length: 6 }, (_, at) => one('read', { path: `f${String(at)}` }, lines(36, String(at))));
    const entries = reduced([{ user: 'go' }, ...looks, one('bash', {}, lines(300)), done], budgetOf(3_000)).map(({ entry }) => entry);
    expect(entries).toEqual(['e3', 'e5', 'e7', 'e9', 'e15']);
  });

  it('small results and those reduced before', () => {
    const shown = branchOf([{ user: 'go' }, one('bash', {}, 'x'.repeat(199)), old, one('bash', {}, lines(300)), done]);
    const items = plan(shown, budgetOf(2_000));
    expect(items.map(({ entry }) => entry)).toEqual(['e5', 'e7']);
    expect(plan(applied(shown, { reductions: items }, HOST, null), budgetOf(2_000))).toEqual([]);
  });

  it('a result that was moved out of line, but not one that only became a window', () => {
    const shown = branchOf([{ user: 'go' }, old, one('bash', {}, lines(300)), done]);
    const shorter = (reason: ReductionItem['reason']): readonly Shown[] =>
      applied(
        shown,
        { reductions: [{ entry: 'e3' as EntryId, part: 'c0', target: 'result', text: lines(60), tokens: 350, reason }] },
        HOST,
        null,
      );
    expect(plan(shorter('offloaded'), budgetOf(2_000)).map(({ entry }) => entry)).toEqual(['e5']);
    expect(plan(shorter('windowed'), budgetOf(2_000)).map(({ entry }) => entry)).toEqual(['e3', 'e5']);
  });

  it('a result whose stub would not be smaller', () => {
    expect(
      reduced(
        [
          { user: 'go' },
          one('a_tool_with_quite_a_long_name', { first: 'a'.repeat(40), second: 'b'.repeat(40) }, 'y'.repeat(210)),
          old,
          done,
        ],
        budgetOf(2_200),
      ),
    ).toEqual([]);
  });
});

it('the least gain is 10 % of what is available, at most 20,000, and nothing from the start mark on', () => {
  expect(minimumGain(budgetOf(24_500, 500), 10_000)).toBe(2_400);
  expect(minimumGain(budgetOf(400_500, 500), 10_000)).toBe(20_000);
  expect(minimumGain(budgetOf(24_500, 500), budgetOf(24_500, 500).marks.start)).toBe(0);
});

describe('on any branch', () => {
  it('never touches what is protected, makes each entry cheaper, leaves pairs alone', () => {
    fc.assert(
      fc.property(anyMonster, fc.integer({ min: 500, max: 60_000 }), (says, effective) => {
        const shown = branchOf(says);
        const budget = budgetOf(effective, 100);
        const items = plan(shown, budget);
        const parts = partsOf(shown);
        const protection = protectionOf(shown, parts, budget, newestUserOf(shown));
        const after = applied(shown, { reductions: items }, HOST, newestUserOf(shown));
        for (const item of items) {
          const part = parts.find(
            (candidate) => candidate.entry === item.entry && candidate.part === item.part && candidate.target === item.target,
          );
          expect(part).toBeDefined();
          expect(part?.group).not.toBe(protection.openGroup);
          expect(part !== undefined && protection.kept.has(keyOf(part))).toBe(false);
          expect(item.entry).not.toBe(protection.newestUserEntry);
          if (item.target === 'arguments') expect(() => JSON.parse(item.text) as unknown).not.toThrow();
          expect(item.text.isWellFormed()).toBe(true);
        }
        expect(after).toHaveLength(shown.length);
        after.forEach((block, at) => {
          const before = shown[at];
          if (block.kind !== 'entry' || before?.kind !== 'entry') return;
          if (block.placed.shape.kind === 'reduced') expect(block.placed.shownTokens).toBeLessThan(before.placed.shownTokens);
          else expect(block).toEqual(before);
        });
      }),
      { seed: 20_260_201, numRuns: 40 },
    );
  });
});
