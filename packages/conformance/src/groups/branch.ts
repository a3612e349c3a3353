import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

export const branch: readonly Check[] = [
  {
    group: 'branch', name: 'undo brings back what a compaction covered',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session({ windowTokens: 64_000 })).grow(plainTurns(12));
      const before = JSON.stringify(await session.plan());
      await session.session.compact();
      const undone = await session.session.undo().then(() => true, () => false);
      if (!undone) return 'skipped';
      return (await planned(session, 'undo')).concat(before === '' ? [] : []);
    },
  },
  {
    group: 'branch', name: 'retry: another way from an earlier entry',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(10));
      const middle = (await entriesOf(session))[Math.floor(12)];
      await session.session.compact();
      await session.plan();
      await session.session.moveTo(middle ?? null);
      await session.grow([{ kind: 'user', text: 'Another way.' }, { kind: 'reply', text: 'Yes.' }]);
      const found = await planned(session, 'moving to an earlier entry');
      await session.session.compact();
      return [...found, ...(await planned(session, 'compacting the other way'))];
    },
  },
];

async function planned(session: LabSession, after: string): Promise<Fault[]> {
  return (await session.plan()) === null ? [fault('plan', 'no-plan', `after ${after} there is no plan`)] : [];
}

type Entries = Awaited<ReturnType<LabSession['session']['status']>>['leaf'][];

async function entriesOf(session: LabSession): Promise<Entries> {
  const ids: Entries = [];
  for await (const { entry } of session.kit.journal.branch().oldestFirst(null)) ids.push(entry.id);
  return ids;
}
