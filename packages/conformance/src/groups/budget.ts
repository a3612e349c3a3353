import { anyhow } from '../anyhow.ts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { proposal } from '../workout.ts';

export const budget: readonly Check[] = [
  { group: 'budget', name: 'whatever it proposes frees something', run: (context: CheckContext): Promise<Found> => anyhow(context, proposals) },
  {
    group: 'budget', name: 'makes room where there is plenty to cover',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(20));
      if (lab.spy.engines.at(-1)?.compact === undefined) return 'skipped';
      const goalTokens = Math.floor(session.shownTokens / 2);
      const outcome = await session.compact({ goalTokens });
      const found = await proposal(session, goalTokens);
      return outcome.kind === 'noop' ? [...found, fault('compact', 'makes-no-room', `twenty turns of ${String(session.shownTokens)} tokens, half of it asked for, and it answers "noop: ${outcome.reason}"`)] : found;
    },
  },
  {
    group: 'budget', name: 'stays within windows of many sizes, one token up and down',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const found: Fault[] = [];
      for (const windowTokens of [4_000, 8_000, 8_001, 7_999, 32_000]) found.push(...(await longLife(await lab.session({ windowTokens }), windowTokens)));
      return found;
    },
  },
];

async function proposals(session: LabSession): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for (const share of [1, 0.9, 0.5, 0.1, 0]) for (const more of [-1, 0, 1]) found.push(...(await proposal(session, Math.max(0, Math.floor(session.shownTokens * share) + more))));
  return found;
}

/** Turns through the whole loop; the host makes room by itself where the engine does not, so it must never end. */
async function longLife(session: LabSession, windowTokens: number): Promise<readonly Fault[]> {
  await session.grow(plainTurns(8, Math.ceil(windowTokens / 4_000) * 8));
  for (let turn = 0; turn < 3; turn += 1) {
    const ended = await session.session.send(`And then? ${String(turn)}`).result.then(() => null, (error: unknown) => String(error));
    if (ended !== null) return [fault('compact', 'turn-fails', `on ${String(windowTokens)} tokens: ${ended}`)];
  }
  await session.close();
  return [];
}
