import { describe, expect, it } from 'vitest';
import type { CompactOutcome, EntryId, Shown } from '@palimpsest/contracts';
import { branchOf, type Say } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { LadderSession } from '../test/session.ts';

const budget = budgetOf(20_000);
const talk = (tokens: number): Say[] => [{ user: 'question' }, { says: 'x'.repeat(tokens * 4) }];
const talks = (count: number, tokens: number): readonly Shown[] => branchOf(Array.from({ length: count }, () => talk(tokens)).flat());

function summaryThrough(through: string, tokens: number): CompactOutcome {
  const text = { inline: 's'.repeat(tokens * 4) };
  return {
    kind: 'compacted',
    drafts: {
      compaction: { segments: [{ through: through as EntryId, show: 'summary', text, tokens: 1, quality: 'model', trust: 'user' }] },
    },
  };
}

describe('after an undo', () => {
  const undo: Shown = {
    kind: 'entry',
    placed: {
      entry: { id: 'undo', kind: 'undo', lifts: 'c' } as never,
      shape: { kind: 'silent' },
      shownTokens: 0,
      group: 'undo' as EntryId,
    },
  };

  it('soft triggers wait for the next user input; a command does not', async () => {
    const shown = [...talks(6, 3_000), undo];
    const session = new LadderSession({ shown, budget, compact: async () => Promise.resolve(summaryThrough('e8', 800)) });
    const waited = await session.climb('threshold', { tokens: budget.marks.start });
    expect(waited).toMatchObject({ changed: false, declined: [{ what: 'maintenance' }] });
    expect((await session.climb('manual')).changed).toBe(true);
  });

  it('a new input ends the wait', async () => {
    const shown = [...talks(5, 3_000), undo, ...talks(6, 3_000).slice(-2)];
    const session = new LadderSession({ shown, budget, compact: async () => Promise.resolve(summaryThrough('e8', 800)) });
    expect((await session.climb('threshold', { tokens: budget.marks.start })).changed).toBe(true);
  });
});
