import { describe, expect, it } from 'vitest';
import type { CompactOutcome, EntryId } from '@palimpsest/contracts';
import { branchOf } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { LadderSession } from '../test/session.ts';

const talks = (count: number, tokens: number): ReturnType<typeof branchOf> =>
  branchOf(Array.from({ length: count }, () => [{ user: 'question' }, { says: 'x'.repeat(tokens * 4) }]).flat());
const failing = async (): Promise<CompactOutcome> => Promise.resolve({ kind: 'failed', error: 'no model', retryable: true });
const summing = (through: string, tokens: number) => async (): Promise<CompactOutcome> => {
  const text = { inline: 's'.repeat(tokens * 4) };
  const segments = [
    { through: through as EntryId, show: 'summary' as const, text, tokens, quality: 'model' as const, trust: 'user' as const },
  ];
  return Promise.resolve({ kind: 'compacted', drafts: { compaction: { segments } } });
};
const notes = (session: LadderSession): number => session.journal.appends.flat().filter(({ kind }) => kind === 'custom').length;

describe('what the guards remember outlives the process', () => {
  it('a cooldown, and how long the next one is', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: failing });
    await session.climb('threshold');
    const again = session.reopened({ compact: failing });
    again.nowMs += 59_999;
    expect((await again.climb('threshold')).declined.at(-1)?.why).toContain('deferred by cooldown until 2026-01-01T00:01:00.000Z');
    again.nowMs += 1;
    await again.climb('threshold');
    expect(again.asked).toHaveLength(1);
    const third = again.reopened({ compact: failing });
    await third.climb('threshold');
    expect(third.named('compaction.deferred')).toMatchObject([{ guard: 'cooldown', until: '2026-01-01T00:06:00.000Z' }]);
  });

  it('that a command has passed the cooldown', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: failing });
    for (const trigger of ['threshold', 'manual'] as const) await session.climb(trigger);
    const again = session.reopened({ compact: failing });
    await again.climb('manual');
    expect(again.asked).toEqual([]);
  });

  it('an open breaker', async () => {
    const budget = budgetOf(21_000);
    const session = new LadderSession({ shown: talks(8, 2_350), budget, compact: summing('e2', 2_000) });
    await session.climb('threshold', { tokens: 18_000 });
    const again = session.reopened({ compact: summing('e4', 2_000) });
    await again.climb('threshold', { tokens: 18_000 });
    const third = again.reopened({ compact: summing('e6', 2_000) });
    await third.climb('manual');
    expect(third.named('compaction.deferred')).toMatchObject([{ guard: 'breaker', until: '2026-01-01T00:05:00.000Z' }]);
  });

  it('also when a trim has covered the entry that said it', async () => {
    const earlier = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: failing });
    await earlier.climb('threshold');
    const note = earlier.journal.shown().slice(-1);
    const shown = talks(7, 3_000);
    const session = new LadderSession({
      shown: [...shown.slice(0, 4), ...note, ...shown.slice(4)],
      budget: budgetOf(20_000),
      compact: failing,
    });
    session.nowMs += 1_000;
    await session.climb('threshold');
    expect([session.asked, session.written]).toEqual([[], [['compaction by host']]]);
    expect(session.journal.shown().slice(0, 1)).toMatchObject([{ kind: 'summary' }]);
    const again = session.reopened({ compact: failing });
    await again.climb('threshold', { tokens: 18_000 });
    expect(again.named('compaction.deferred')).toMatchObject([{ guard: 'cooldown' }]);
  });
});

describe('the log is told only what is new', () => {
  it('nothing by a compaction that went well, nor by one that was only deferred', async () => {
    const good = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: summing('e8', 100) });
    await good.climb('threshold');
    expect(notes(good)).toBe(0);
    const session = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: failing });
    for (let climb = 0; climb < 3; climb += 1) await session.climb('threshold');
    expect(notes(session)).toBe(1);
  });

  it('and that a success has ended it', async () => {
    const session = new LadderSession({ shown: talks(6, 2_900), budget: budgetOf(20_000), compact: failing });
    await session.climb('threshold');
    session.nowMs += 60_000;
    const again = session.reopened({ compact: summing('e8', 100) });
    await again.climb('threshold');
    const third = again.reopened({ compact: failing });
    await third.climb('manual');
    expect(third.asked).toHaveLength(1);
    expect(third.journal.appends.flat().at(-1)).toMatchObject({
      kind: 'custom',
      by: 'host',
      shown: null,
      tokens: 0,
      data: { failures: 1, coolUntilMs: third.nowMs + 60_000 },
    });
  });
});
