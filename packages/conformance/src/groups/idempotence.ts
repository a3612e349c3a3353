import { messageOf } from '@palimpsest/contracts';
import type { CommittedTurn, EntryId, TurnEnd } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import { Late } from '../patience.ts';
import type { Fault } from '../report.ts';
import type { Spy } from '../spy.ts';
import { steadyPlan, UNSTEADY } from '../steady.ts';

const ENDINGS: readonly TurnEnd[] = ['answered', 'step-limit', 'output-cap', 'aborted', 'exhausted', 'failed'];

export const idempotence: readonly Check[] = [
  {
    group: 'idempotence',
    name: 'a turn that is committed again changes nothing',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(6));
      await session.session.send('One more.').result.catch(() => undefined);
      const told = lab.spy.of('commit').at(-1)?.request as CommittedTurn | undefined;
      if (told === undefined) return 'skipped';
      if ((await steadyPlan(session)) === null) return UNSTEADY;
      const state = async (): Promise<string> =>
        JSON.stringify([await session.plan(), await session.kit.engine.status(), [...lab.spy.traces.derived]]);
      const before = await state();
      const found = [...(await committed(lab.spy, told)), ...(await committed(lab.spy, { ...told, generation: told.generation + 1 }))];
      return (await state()) === before
        ? found
        : [...found, fault('commit', 'not-idempotent', 'a turn that was committed twice changes its plan, its status or its store')];
    },
  },
  {
    group: 'idempotence',
    name: 'a turn is committed however it ended',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(2));
      await session.session.send('One more.').result.catch(() => undefined);
      const told = lab.spy.of('commit').at(-1);
      if (told === undefined) return 'skipped';
      const found: Fault[] = 'answer' in told ? [...judged(told.answer)] : [];
      for (const ended of ENDINGS)
        found.push(...(await committed(lab.spy, { ...(told.request as CommittedTurn), turn: `turn-${ended}` as EntryId, ended })));
      return found;
    },
  },
];

async function committed(spy: Spy, turn: CommittedTurn): Promise<readonly Fault[]> {
  try {
    return judged(await spy.watched.at(-1)?.commit?.(turn));
  } catch (error) {
    return [
      error instanceof Late
        ? fault('commit', 'deadline', 'told of a turn, it does not answer in time')
        : fault('commit', 'commit-answer', `told of a turn that ended "${turn.ended}", it throws: ${messageOf(error)}`),
    ];
  }
}

function judged(answer: unknown): readonly Fault[] {
  return answer === 'committed' || answer === 'duplicate'
    ? []
    : [fault('commit', 'commit-answer', `told of a turn, it answers ${messageOf(answer)}`)];
}
