import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import { steadyPlan, UNSTEADY } from '../steady.ts';

export const crash: readonly Check[] = [
  {
    group: 'crash',
    name: 'a new object goes on where the old one stopped',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session({ id: 'crashed' })).grow(plainTurns(14));
      await session.session.compact();
      const before = await steadyPlan(session);
      if (before === null) return UNSTEADY;
      await session.close();
      const again = await lab.session({ id: 'crashed' });
      const after = JSON.stringify(await again.plan());
      const found = before === after ? [] : [fault('plan', 'state-lost', 'after a restart the same branch gets another plan')];
      return [...found, ...again.faults.splice(0)];
    },
  },
  {
    group: 'crash',
    name: 'a proposal that was never written leaves no trace',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(14));
      if (lab.spy.engines.at(-1)?.compact === undefined) return 'skipped';
      const before = await steadyPlan(session);
      if (before === null) return UNSTEADY;
      await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
      return JSON.stringify(await session.plan()) === before
        ? []
        : [fault('compact', 'believes-itself', 'its plan counts on a proposal that the host did not write')];
    },
  },
];
