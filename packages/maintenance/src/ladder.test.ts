import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShownEntry, shownTokensOf } from '@palimpsest/contracts';
import type { Artifact, CompactOutcome, EntryId, Shown } from '@palimpsest/contracts';
import { branchOf, newestUserOf, branchTokens, type Say } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { anyMonster } from '../test/monsters.ts';
import { LadderSession } from '../test/session.ts';

const budget = budgetOf(20_000);
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `${String(at)} some line of output`).join('\n');
const talk = (tokens: number): Say[] => [{ user: 'question' }, { says: 'x'.repeat(tokens * 4) }];
const work = (tokens: number): Say => ({ calls: [{ tool: 'bash', input: { command: 'make' }, result: lines(Math.floor(tokens / 5.8)) }] });
const talks = (count: number, tokens: number): readonly Shown[] => branchOf(Array.from({ length: count }, () => talk(tokens)).flat());

/** Covers everything up to `through` with a summary of `tokens`. */
function summaryThrough(through: string, tokens: number): CompactOutcome {
  return {
    kind: 'compacted',
    drafts: {
      compaction: {
        segments: [
          {
            through: through as EntryId,
            show: 'summary',
            text: { inline: 's'.repeat(tokens * 4) },
            tokens: 1,
            quality: 'model',
            trust: 'user',
          },
        ],
        short: 'a summary',
        details: { read: ['a'] },
      },
    },
  };
}

describe('the order of the rungs', () => {
  it('reduces, and stops when that is enough: the engine is not asked', async () => {
    const session = new LadderSession({
      shown: branchOf([{ user: 'go' }, work(6_000), work(6_000), work(4_500), { says: 'done' }]),
      budget,
    });
    expect(await session.climb('threshold')).toEqual({ changed: true, declined: [] });
    expect(session.written).toEqual([['reduction by host']]);
    expect(session.asked).toEqual([]);
    expect(session.requestTokens).toBeLessThan(budget.marks.low);
    const [entry] = session.journal.appends.flat();
    expect(entry).toMatchObject({ kind: 'reduction', trigger: 'threshold', tokensAfter: session.requestTokens - 500 });
    expect(session.named('reduction.completed')).toMatchObject([{ items: 2, after: session.requestTokens - 500, turn: null }]);
  });

  it('leaves reducing to an engine that claims it, and says so', async () => {
    const shown = branchOf([{ user: 'go' }, work(6_000), work(6_000), work(4_500), { says: 'done' }]);
    const session = new LadderSession({ shown, budget, owns: ['reduce'] });
    const left = { what: 'reduce', why: 'left to engine fake@1.0.0' };
    expect(await session.climb('threshold')).toEqual({ changed: false, declined: [left, { what: 'compact', why: 'nothing-eligible' }] });
    expect(session.asked).toHaveLength(1);
  });

  it('then asks the engine for what is left to reach, and records what the host measured', async () => {
    const session = new LadderSession({ shown: talks(6, 3_000), budget, compact: async () => Promise.resolve(summaryThrough('e8', 800)) });
    const before = session.requestTokens;
    expect((await session.climb('threshold', { focus: 'the bug' })).changed).toBe(true);
    expect(session.asked).toMatchObject([
      { trigger: 'threshold', goalTokens: budget.marks.low - 1 - 500, keepRecent: null, focus: 'the bug', protectedEntries: ['e11'] },
    ]);
    expect(session.written).toEqual([['compaction by fake@1.0.0']]);
    expect(session.journal.appends.flat()[0]).toMatchObject({
      kind: 'compaction',
      short: 'a summary',
      details: { read: ['a'] },
      tokensBefore: before - 500,
      tokensAfter: session.requestTokens - 500,
      segments: [{ tokens: expect.any(Number) as number }],
    });
    expect(session.journal.shown().map(shownTokensOf)[0]).toBeGreaterThan(800);
    expect(session.named('compaction.completed')).toMatchObject([
      { by: 'fake@1.0.0', before: before - 500, after: session.requestTokens - 500 },
    ]);
  });

  it('one append per rung; reductions of an engine stand before its compaction', async () => {
    const shown = branchOf([...talk(6_000), { user: 'go' }, work(6_000), work(6_000), { says: 'done' }]);
    const session = new LadderSession({
      shown,
      budget,
      compact: async () =>
        Promise.resolve({
          ...summaryThrough('e2', 100),
          drafts: {
            ...(summaryThrough('e2', 100) as { drafts: object }).drafts,
            reductions: [
              { entry: 'e8' as EntryId, part: null, target: 'text' as const, text: 'short', tokens: 99_999, reason: 'masked' as const },
            ],
          },
        } as CompactOutcome),
    });
    await session.climb('threshold');
    expect(session.written).toEqual([['reduction by host'], ['reduction by fake@1.0.0', 'compaction by fake@1.0.0']]);
    const [reduction, compaction] = session.journal.appends[1] ?? [];
    expect(reduction).toMatchObject({ items: [{ tokens: 3 }] });
    expect(compaction).toMatchObject({ tokensBefore: (reduction as { tokensAfter?: number }).tokensAfter });
  });

  it('trims at hard when the engine has nothing to give, and not below it', async () => {
    const hard = new LadderSession({ shown: talks(7, 3_000), budget });
    expect(await hard.climb('threshold')).toMatchObject({ changed: true });
    expect(hard.written).toEqual([['compaction by host']]);
    expect(hard.requestTokens).toBeLessThan(budget.marks.low);
    const start = new LadderSession({ shown: talks(6, 2_900), budget });
    expect(await start.climb('threshold')).toEqual({
      changed: false,
      declined: [
        { what: 'reduce', why: 'no old, repeated or superseded result is left' },
        { what: 'compact', why: 'nothing-eligible' },
      ],
    });
    expect(start.journal.appends).toEqual([]);
  });

  it('trims after a compaction that leaves the request at hard, and not after one that leaves it below', async () => {
    const weak = new LadderSession({ shown: talks(9, 3_000), budget, compact: async () => Promise.resolve(summaryThrough('e2', 100)) });
    await weak.climb('threshold');
    expect(weak.written).toEqual([['compaction by fake@1.0.0'], ['compaction by host']]);
    const good = new LadderSession({ shown: talks(7, 3_000), budget, compact: async () => Promise.resolve(summaryThrough('e4', 100)) });
    await good.climb('threshold');
    expect(good.written).toEqual([['compaction by fake@1.0.0']]);
  });

  it('on a proven overflow it trims down to low, whatever the mark', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget });
    await session.climb('overflow');
    expect(session.written).toEqual([['compaction by host']]);
    expect(session.requestTokens).toBeLessThan(budget.marks.low);
  });

  it('a command compacts even when there is room, with a goal below what is shown', async () => {
    const session = new LadderSession({ shown: talks(3, 1_000), budget, compact: async () => Promise.resolve(summaryThrough('e4', 50)) });
    expect((await session.climb('manual')).changed).toBe(true);
    expect(session.asked[0]?.goalTokens).toBeLessThan(1_600);
  });

  it('a background preparation writes artifacts only', async () => {
    const artifact = {
      id: 'a1',
      kind: 'compaction_summary',
      session: null,
      body: 'x',
      source: null,
      madeBy: null,
      tokens: 1,
    } as unknown as Artifact;
    const shown = branchOf([{ user: 'go' }, work(6_000), work(6_000), { says: 'done' }]);
    const prepared = new LadderSession({
      shown,
      budget,
      compact: async () => Promise.resolve({ kind: 'prepared', artifacts: [artifact] }),
    });
    expect(await prepared.climb('prepare')).toMatchObject({ changed: false });
    expect(prepared.put).toEqual([artifact]);
    const greedy = new LadderSession({ shown, budget, compact: async () => Promise.resolve(summaryThrough('e3', 1)) });
    expect(await greedy.climb('prepare')).toMatchObject({ changed: false, declined: [{ what: 'compact' }] });
    expect([prepared.journal.appends, greedy.journal.appends]).toEqual([[], []]);
  });

  it('leaves room for what comes in, and does not tear everything down for what can never fit', async () => {
    const session = new LadderSession({ shown: talks(6, 2_500), budget });
    await session.climb('hygiene', { tokens: session.requestTokens + 4_000 });
    expect(session.requestTokens + 4_000).toBeLessThan(budget.marks.low);
    const flooded = new LadderSession({ shown: talks(2, 500), budget });
    expect(await flooded.climb('hygiene', { tokens: 500_000 })).toMatchObject({ changed: false });
  });
});

describe('guards', () => {
  const failing = async (): Promise<CompactOutcome> => Promise.resolve({ kind: 'failed', error: 'no model', retryable: true });

  it('after a failure the engine is left alone for a minute: deferred, not refused', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget, compact: failing });
    expect((await session.climb('threshold')).declined.at(-1)).toEqual({ what: 'compact', why: 'no model' });
    session.nowMs += 59_999;
    expect((await session.climb('threshold')).declined.at(-1)?.why).toContain('deferred by cooldown until 2026-01-01T00:01:00.000Z');
    expect(session.named('compaction.deferred')).toMatchObject([{ guard: 'cooldown', until: '2026-01-01T00:01:00.000Z' }]);
    expect(session.asked).toHaveLength(1);
    session.nowMs += 1;
    await session.climb('threshold');
    expect(session.asked).toHaveLength(2);
  });

  it('a command passes the cooldown once', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget, compact: failing });
    for (const trigger of ['threshold', 'manual', 'manual'] as const) await session.climb(trigger);
    expect(session.asked.map(({ trigger }) => trigger)).toEqual(['threshold', 'manual']);
  });

  it('no guard keeps the trim from its work at hard', async () => {
    const session = new LadderSession({ shown: talks(7, 3_000), budget, compact: failing });
    await session.climb('manual');
    expect(session.requestTokens).toBeLessThan(budget.marks.low);
  });

  it('an engine that throws, or drafts what the log does not allow, has failed', async () => {
    const shown = branchOf([{ user: 'go' }, work(3_000), work(3_000), { says: 'x'.repeat(30_000) }]);
    for (const compact of [
      async () => Promise.reject(new Error('broken')),
      async () => Promise.resolve(summaryThrough('e2', 1)),
      async () => Promise.resolve(summaryThrough('e6', 1)),
    ]) {
      const session = new LadderSession({ shown, budget, compact });
      await session.climb('threshold');
      expect(session.named('compaction.refused')).toHaveLength(1);
      await session.climb('threshold');
      expect(session.named('compaction.deferred')).toMatchObject([{ guard: 'cooldown' }]);
      expect(session.written.flat()).not.toContain('compaction by fake@1.0.0');
    }
  });

  it('a compaction that frees nothing is refused and not tried again at once, whatever the engine claims', async () => {
    const session = new LadderSession({
      shown: talks(6, 2_900),
      budget,
      compact: async () => Promise.resolve(summaryThrough('e2', 2_950)),
    });
    expect(await session.climb('threshold')).toMatchObject({
      changed: false,
      declined: [{}, { what: 'compact', why: expect.stringMatching(/free -\d+ tokens, and at least 1/u) as string }],
    });
    expect(session.named('compaction.refused')).toHaveLength(1);
    await session.climb('threshold');
    expect(session.asked).toHaveLength(1);
    expect(session.written).toEqual([]);
  });

  it('a draft writes nothing but its own fields', async () => {
    const outcome = summaryThrough('e8', 100) as { readonly drafts: { readonly compaction: object } };
    const session = new LadderSession({
      shown: talks(6, 3_000),
      budget,
      compact: async () =>
        Promise.resolve({
          kind: 'compacted',
          drafts: { compaction: { ...outcome.drafts.compaction, by: 'host', hidden: true } },
        } as unknown as CompactOutcome),
    });
    await session.climb('threshold');
    expect(session.journal.appends.flat()).toMatchObject([{ by: 'fake@1.0.0' }]);
    expect(session.journal.appends.flat()[0]).not.toHaveProperty('hidden');
  });

  it('a compaction without any draft is one that frees nothing', async () => {
    const session = new LadderSession({
      shown: talks(6, 2_900),
      budget,
      compact: async () => Promise.resolve({ kind: 'compacted', drafts: {} }),
    });
    expect((await session.climb('threshold')).changed).toBe(false);
    expect(session.written).toEqual([]);
  });

  it('two compactions that end near start open the breaker', async () => {
    const edges = ['e2', 'e4', 'e6'];
    const session = new LadderSession({
      shown: talks(8, 2_350),
      budget: budgetOf(21_000),
      compact: async () => Promise.resolve(summaryThrough(edges.shift() ?? '', 2_000)),
    });
    for (const tokens of [18_000, 18_000, 18_000]) await session.climb('threshold', { tokens });
    expect(session.asked).toHaveLength(2);
    expect(session.named('compaction.deferred')).toMatchObject([{ guard: 'breaker', until: '2026-01-01T00:05:00.000Z' }]);
  });

  it('an open batch that no engine may touch is not held against the engine', async () => {
    const edges = ['e2', 'e4', 'e6'];
    const shown = branchOf([...Array.from({ length: 3 }, () => talk(1_500)).flat(), { user: 'go' }, work(18_000)]);
    const session = new LadderSession({
      shown,
      budget: budgetOf(30_000),
      compact: async () => Promise.resolve(summaryThrough(edges.shift() ?? '', 900)),
    });
    for (const tokens of [26_000, 26_000, 26_000]) await session.climb('threshold', { tokens });
    expect(session.asked).toHaveLength(3);
  });

  it.each([
    [{ kind: 'deferred', until: 'idle' }, 'compaction.deferred', { guard: 'engine fake@1.0.0', until: 'idle' }],
    [{ kind: 'deferred', until: { atMs: 0 } }, 'compaction.deferred', { until: '1970-01-01T00:00:00.000Z' }],
    [{ kind: 'noop', reason: 'under-mark' }, 'compaction.refused', { by: 'fake@1.0.0', why: 'compact: under-mark' }],
    [
      { kind: 'irreducible', floorTokens: 9, parts: {}, advice: ['larger window'] },
      'compaction.refused',
      { why: 'compact: irreducible: 9 tokens stay; larger window' },
    ],
  ] satisfies [CompactOutcome, string, object][])('%j is passed on and is no failure', async (outcome, name, event) => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget, compact: async () => Promise.resolve(outcome) });
    expect((await session.climb('threshold')).declined).toHaveLength(2);
    expect(session.named(name as 'compaction.refused')).toMatchObject([event]);
    await session.climb('threshold');
    expect(session.asked).toHaveLength(2);
  });

  it('off means off, also at hard and on an overflow; a command still works', async () => {
    const session = new LadderSession({ shown: talks(9, 3_000), budget, settings: { enabled: false } });
    for (const trigger of ['threshold', 'hygiene', 'overflow', 'idle', 'prepare'] as const)
      expect(await session.climb(trigger)).toEqual({ changed: false, declined: [{ what: 'maintenance', why: 'it is switched off' }] });
    expect([session.journal.appends, session.events, session.asked]).toEqual([[], [], []]);
    expect((await session.climb('manual')).changed).toBe(true);
  });

  it('an abort ends the climb and is nobody’s failure', async () => {
    const gone = new AbortController();
    const session = new LadderSession({
      shown: talks(9, 3_000),
      budget,
      compact: async () => {
        gone.abort();
        return Promise.reject(new Error('aborted'));
      },
    });
    expect(await session.climb('threshold', { signal: gone.signal })).toMatchObject({ changed: false, declined: [{}, { why: 'aborted' }] });
    await session.climb('threshold');
    expect(session.asked).toHaveLength(2);
  });
});

describe('before-compaction hooks', () => {
  it('may keep more of the newest part, one after the other', async () => {
    const seen: (number | null)[] = [];
    const hook = (name: string, keepRecent: number) => ({
      name,
      run: async (ask: { keepRecent: number | null }) => {
        seen.push(ask.keepRecent);
        return Promise.resolve({ keepRecent });
      },
    });
    const session = new LadderSession({
      shown: talks(6, 2_900),
      budget,
      settings: { keepRecentTokens: 3_000 },
      hooks: [hook('a', 5_000), hook('b', 7_000)],
    });
    await session.climb('threshold');
    expect(seen).toEqual([3_000, 5_000]);
    expect(session.asked[0]?.keepRecent).toBe(7_000);
  });

  it('may defer a soft compaction, and neither a command, nor an overflow, nor one at hard', async () => {
    const hooks = [{ name: 'later', run: async () => Promise.resolve({ defer: true as const }) }];
    const soft = new LadderSession({ shown: talks(6, 2_900), budget, hooks });
    await soft.climb('threshold');
    expect(soft.asked).toEqual([]);
    expect(soft.named('compaction.deferred')).toMatchObject([{ guard: 'hook later' }]);
    for (const trigger of ['manual', 'overflow'] as const) await soft.climb(trigger);
    expect(soft.asked).toHaveLength(2);
    const hard = new LadderSession({ shown: talks(7, 3_000), budget, hooks });
    await hard.climb('threshold');
    expect(hard.asked).toHaveLength(1);
  });

  it('one that throws has no say, and the record names it', async () => {
    const session = new LadderSession({
      shown: talks(6, 2_900),
      budget,
      hooks: [{ name: 'bad', run: async () => Promise.reject(new Error('oops')) }],
    });
    expect((await session.climb('threshold')).declined).toContainEqual({ what: 'hook bad', why: 'oops' });
    expect(session.asked).toHaveLength(1);
  });
});

describe('whatever the branch holds', () => {
  it('after a climb at hard the request fits, the newest input is shown, and the log holds what was measured', async () => {
    await fc.assert(
      fc.asyncProperty(anyMonster, fc.integer({ min: 800, max: 12_000 }), async (says, effective) => {
        const session = new LadderSession({ shown: branchOf(says), budget: budgetOf(effective, 300) });
        fc.pre(session.requestTokens >= budgetOf(effective, 300).marks.hard);
        const before = session.requestTokens;
        const climbed = await session.climb('threshold');
        expect(session.requestTokens).toBeLessThanOrEqual(effective);
        expect(climbed.changed).toBe(session.requestTokens < before);
        const newest = newestUserOf(session.journal.shown());
        expect(session.journal.shown().some((block) => isShownEntry(block) && block.placed.entry.id === newest)).toBe(true);
        const last = session.journal.appends.flat().at(-1);
        expect((last as { tokensAfter?: number }).tokensAfter).toBe(branchTokens(session.journal.shown()));
      }),
      { seed: 20_260_301, numRuns: 40 },
    );
  });

  it('where the journal counts more than the plan, the plan is made again for less', async () => {
    const session = new LadderSession({ shown: talks(9, 3_000), budget });
    session.journal.surchargeTokens = 12_000;
    await session.climb('threshold');
    expect(session.requestTokens + 12_000).toBeLessThanOrEqual(budget.effective);
  });
});
