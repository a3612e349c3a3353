import type { CommittedTurn, EntryId } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { Fault } from '../report.ts';
import { Late } from '../spy.ts';

export const idempotence: readonly Check[] = [
  {
    group: 'idempotence', name: 'a turn that is committed again changes nothing',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(6));
      await session.session.send('One more.').result.catch(() => undefined);
      const [engine, told] = [lab.spy.watched.at(-1), lab.spy.of('commit').at(-1)?.request as CommittedTurn | undefined];
      if (engine?.commit === undefined || told === undefined) return 'skipped';
      const before = JSON.stringify(await session.plan());
      const found: Fault[] = [];
      for (const turn of [told, { ...told, generation: told.generation + 1 }, { ...told, turn: 'another' as EntryId, ended: 'aborted' as const }]) {
        const answer: unknown = await engine.commit(turn).catch((error: unknown) => error);
        if (answer instanceof Late) found.push(fault('commit', 'deadline', 'told of a turn again, it does not answer in time'));
        else if (answer !== 'committed' && answer !== 'duplicate') found.push(fault('commit', 'commit-answer', `told of a turn again, it answers ${String(answer)}`));
      }
      if (JSON.stringify(await session.plan()) !== before) found.push(fault('commit', 'not-idempotent', 'a turn that was committed twice gives another plan'));
      return found;
    },
  },
];
