import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import { workout } from '../workout.ts';
import { requests } from './requests.ts';
import { tools } from './tools.ts';

export const shape: readonly Check[] = [
  {
    group: 'shape',
    name: 'every session has an engine object of its own',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      await lab.session();
      await lab.session();
      const [one, other] = lab.spy.engines;
      return one === other ? [fault('factory', 'shared-object', 'two sessions are given the same object')] : [];
    },
  },
  {
    group: 'shape',
    name: 'a plain conversation',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(12));
      await session.session.send('And now?').result.catch(() => undefined);
      return workout(session);
    },
  },
  ...requests,
  ...tools,
];
