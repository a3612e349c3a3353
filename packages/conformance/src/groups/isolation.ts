import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, type Step } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { introduced } from '../rules/notes.ts';
import { answerText } from '../saying.ts';
import type { EngineCall } from '../spy.ts';
import { steadyPlan, UNSTEADY } from '../steady.ts';

const SECRETS = ['amber-falcon-7731', 'cobalt-heron-9042'] as const;

export const isolation: readonly Check[] = [
  {
    group: 'isolation',
    name: 'two sessions side by side know nothing of each other',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const first = await (await lab.session()).grow(about(SECRETS[0], 0));
      const alone = await steadyPlan(first);
      if (alone === null) return UNSTEADY;
      const sessions = [first, await (await lab.session()).grow(about(SECRETS[1], 1))];
      const found: Fault[] = [];
      for (let round = 0; round < 2; round += 1) {
        for (const [at, session] of sessions.entries()) {
          await exercised(session);
          found.push(...leaks(lab.spy.calls, session.session.id, SECRETS[1 - at] ?? ''));
        }
      }
      const beside = JSON.stringify(await first.plan());
      return alone === beside
        ? found
        : [...found, fault('plan', 'leaks-session', 'the same branch gets another plan once there is another session')];
    },
  },
];

/** Texts that only one of the two sessions has. */
function about(secret: string, at: number): readonly Step[] {
  return Array.from({ length: 14 }, (_, turn): Step[] => [
    { kind: 'user', text: `${secret} question ${String(turn)}` },
    {
      kind: 'tools',
      calls: [{ id: `c${String(turn)}`, name: 'read', input: { path: `${secret}/${String(turn)}` }, output: filler(8, turn + at) }],
    },
    { kind: 'reply', text: `${secret} answer ${String(turn)}` },
  ]).flat();
}

async function exercised(session: LabSession): Promise<void> {
  await session.plan();
  await introduced(session);
  await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
  await session.tools();
}

/** Everything that came out for a session, whichever method said it. */
function leaks(calls: readonly EngineCall[], session: string, foreign: string): readonly Fault[] {
  const told = calls.filter((call) => call.session === session && call.method !== 'factory' && answerText(call.answer).includes(foreign));
  return told.map(({ method }) => fault(method, 'leaks-session', 'what it says in one session holds words of another'));
}
