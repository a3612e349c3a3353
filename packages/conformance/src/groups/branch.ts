import type { Placed } from '@palimpsest/contracts';
import { forkSession } from '@palimpsest/runtime';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

export const branch: readonly Check[] = [
  {
    group: 'branch',
    name: 'undo brings back what a compaction covered',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session({ windowTokens: 64_000 })).grow(plainTurns(12));
      const before = await shownIn(session);
      await session.session.compact();
      await session.plan();
      const undone = await session.session.undo().then(
        () => true,
        () => false,
      );
      if (!undone) return 'skipped';
      const after = await shownIn(session);
      const changed = before.filter((showing, at) => after[at] !== showing).length;
      return changed === 0
        ? []
        : [
            fault(
              'plan',
              'undo-differs',
              `after undo ${String(changed)} of ${String(before.length)} messages are not shown as before the compaction`,
            ),
          ];
    },
  },
  {
    group: 'branch',
    name: 'a fork is shown like the session it comes from',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session({ id: 'parent' })).grow(plainTurns(10));
      await session.plan();
      await session.session.compact();
      const here = await shownIn(session);
      await forkSession(lab.runtime, { session: 'parent', as: 'fork' });
      const there = await shownIn(await lab.session({ id: 'fork' }));
      const changed = here.filter((showing, at) => there[at] !== showing).length;
      return changed === 0
        ? []
        : [
            fault(
              'plan',
              'fork-differs',
              `${String(changed)} of ${String(here.length)} messages are shown otherwise in a fork, which has the same log`,
            ),
          ];
    },
  },
  {
    group: 'branch',
    name: 'retry: another way from an earlier entry',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(10));
      const middle = (await placedOf(session))[12]?.entry.id;
      await session.session.compact();
      await session.plan();
      await session.session.moveTo(middle ?? null);
      await session.grow([
        { kind: 'user', text: 'Another way.' },
        { kind: 'reply', text: 'Yes.' },
      ]);
      const found = await planned(session, 'moving to an earlier entry');
      await session.session.compact();
      return [...found, ...(await planned(session, 'compacting the other way'))];
    },
  },
];

async function planned(session: LabSession, after: string): Promise<Fault[]> {
  return (await session.plan()) === null ? [fault('plan', 'no-plan', `after ${after} there is no plan`)] : [];
}

/** How the engine shows each message: what its plan says of the stretch, and, where that is shown as it stands in the log, what the log says. */
async function shownIn(session: LabSession): Promise<readonly string[]> {
  const segments = (await session.plan())?.segments ?? [];
  const showings: string[] = [];
  let at = 0;
  for (const { entry, shape } of await placedOf(session)) {
    const segment = segments[at];
    if (entry.kind === 'message') showings.push(JSON.stringify(segment?.show === 'entries' ? shape : segment, withoutIds));
    if (entry.id === segment?.through) at += 1;
  }
  return showings;
}

/** A fork has entries of its own. */
function withoutIds(key: string, value: unknown): unknown {
  return key === 'through' || key === 'by' || key === 'entry' ? undefined : value;
}

async function placedOf(session: LabSession): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for await (const one of session.kit.journal.branch().oldestFirst(null)) placed.push(one);
  return placed;
}
