import { messageOf } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { keyOf } from '../run-check.ts';
import type { Spy } from '../spy.ts';
import { steadyPlan, UNSTEADY } from '../steady.ts';

const UNKNOWN = { fromTheFuture: { depth: 2 }, hint: 'unknown' };

export const unknownFields: readonly Check[] = [
  {
    group: 'unknown-fields',
    name: 'fields of a later minor version change nothing',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(12));
      const before = new Set((await life(session, lab.spy)).map(keyOf));
      const later = await (await lab.session()).grow(plainTurns(12));
      const plan = await steadyPlan(later);
      if (plan === null) return UNSTEADY;
      lab.spy.bend.unknownFields = UNKNOWN;
      const changed =
        plan === JSON.stringify(await later.plan()) ? [] : [fault('plan', 'unknown-field', 'a field it does not know changes the plan')];
      // What it breaks in any case it breaks here too.
      return [
        ...changed,
        ...(await life(later, lab.spy)).map((one) =>
          before.has(keyOf(one)) ? one : { ...one, rule: 'unknown-field', problem: `a field it does not know: ${one.problem}` },
        ),
      ];
    },
  },
];

/** Everything that a host asks for. */
async function life(session: LabSession, spy: Spy): Promise<readonly Fault[]> {
  await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
  await session.session.send('And now?').result.catch(() => undefined);
  const from = spy.calls.length;
  await session.tools();
  const refused = spy.calls
    .slice(from)
    .flatMap((call) => ('thrown' in call ? [fault(call.method, 'tool-throws', messageOf(call.thrown))] : []));
  return [...session.faults.splice(0), ...refused];
}
