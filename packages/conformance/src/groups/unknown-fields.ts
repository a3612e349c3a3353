import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';

export const unknownFields: readonly Check[] = [
  {
    group: 'unknown-fields', name: 'fields of a later minor version change nothing',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(12));
      const before = JSON.stringify(await session.plan());
      lab.spy.bend.unknownFields = { fromTheFuture: { depth: 2 }, hint: 'unknown' };
      const after = JSON.stringify(await session.plan());
      await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
      const found = session.faults.splice(0).map((one) => ({ ...one, rule: 'unknown-field', problem: `a field it does not know: ${one.problem}` }));
      return before === after ? found : [...found, fault('plan', 'unknown-field', 'a field it does not know changes the plan')];
    },
  },
];
