import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, type Step } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';

const SECRETS = ['amber-falcon-7731', 'cobalt-heron-9042'] as const;

export const isolation: readonly Check[] = [
  {
    group: 'isolation', name: 'two sessions side by side know nothing of each other',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const sessions = await Promise.all(SECRETS.map(async (secret, at) => (await lab.session()).grow(about(secret, at))));
      const found: Fault[] = [];
      for (let round = 0; round < 2; round += 1) {
        for (const [at, session] of sessions.entries()) {
          await session.plan();
          found.push(...(await leaks(session, SECRETS[1 - at] ?? '')));
        }
      }
      return found;
    },
  },
];

/** Texts that only one of the two sessions has. */
function about(secret: string, at: number): readonly Step[] {
  return Array.from({ length: 14 }, (_, turn): Step[] => [
    { kind: 'user', text: `${secret} question ${String(turn)}` },
    { kind: 'tools', calls: [{ id: `c${String(turn)}`, name: 'read', input: { path: `${secret}/${String(turn)}` }, output: filler(8, turn + at) }] },
    { kind: 'reply', text: `${secret} answer ${String(turn)}` },
  ]).flat();
}

async function leaks(session: LabSession, foreign: string): Promise<readonly Fault[]> {
  const outcome = await session.compact({ goalTokens: Math.floor(session.shownTokens / 2) });
  return JSON.stringify(outcome).includes(foreign) ? [fault('compact', 'leaks-session', 'a proposal for one session holds words of another')] : [];
}
