import { messageOf } from '@palimpsest/contracts';
import { anyhow } from '../anyhow.ts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, plainTurns, type Step } from '../conversations.ts';
import { measuredTokens } from '../figures.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { proposal } from '../rules/proposals.ts';

/** Of what is asked for; less is no room. */
const LEAST_SHARE = 0.1;

export const budget: readonly Check[] = [
  {
    group: 'budget',
    name: 'whatever it proposes frees something',
    run: (context: CheckContext): Promise<Found> => anyhow(context, proposals),
  },
  {
    group: 'budget',
    name: 'makes room where there is plenty to cover',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(20));
      return lab.spy.engines.at(-1)?.compact === undefined ? 'skipped' : madeRoom(session, 'makes-no-room', 'twenty turns');
    },
  },
  {
    group: 'budget',
    name: 'shortens what it owns',
    run: async ({ lab, definition }: CheckContext): Promise<Found> => {
      if (!definition.manifest.owns.includes('reduce')) return 'skipped';
      return madeRoom(
        await (await lab.session()).grow(OLD_RESULTS),
        'owned-not-done',
        'its manifest owns "reduce", so the host shortens nothing: one turn with twenty results',
      );
    },
  },
  {
    group: 'budget',
    name: 'stays within windows of many sizes, one token up and down',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const found: Fault[] = [];
      const method = (): string => (lab.spy.engines.at(-1)?.compact === undefined ? 'plan' : 'compact');
      for (const windowTokens of [4_000, 8_000, 8_001, 7_999, 32_000]) {
        const ended = await longLife(await lab.session({ windowTokens }), windowTokens);
        if (ended !== null) found.push(fault(method(), 'turn-fails', `on ${String(windowTokens)} tokens: ${ended}`));
      }
      return found;
    },
  },
];

/** All of it behind the newest input: there is nothing to cover. */
const OLD_RESULTS: readonly Step[] = [
  { kind: 'user', text: 'Read all of it.' },
  ...Array.from({ length: 20 }, (_, at): Step => ({
    kind: 'tools',
    calls: [{ id: `c${String(at)}`, name: 'read', input: { path: `src/${String(at)}.ts` }, output: filler(20, at) }],
  })),
  { kind: 'reply', text: 'Read.' },
];

async function proposals(session: LabSession): Promise<readonly Fault[]> {
  const found: Fault[] = [];
  for (const share of [1, 0.9, 0.5, 0.1, 0])
    for (const more of [-1, 0, 1])
      found.push(...(await proposal(session, { goalTokens: Math.max(0, Math.floor(session.shownTokens * share) + more) })));
  return found;
}

/** A provider has refused the request: nothing can be put off now. */
async function madeRoom(session: LabSession, rule: string, where: string): Promise<readonly Fault[]> {
  const [before, goalTokens] = [session.shownTokens, Math.floor(session.shownTokens / 2)];
  const found = await proposal(session, { goalTokens });
  // Nothing comes of what is refused for another reason.
  if (found.length > 0 || session.faults.length > 0) return found;
  const outcome = await session.compact({ goalTokens, trigger: 'overflow' });
  const asked = `${where} of ${String(before)} tokens, half of it asked for after an overflow`;
  if (outcome.kind !== 'compacted')
    return session.faults.length > 0
      ? []
      : [fault('compact', rule, `${asked}, and it answers "${outcome.kind}${outcome.kind === 'noop' ? `: ${outcome.reason}` : ''}"`)];
  const after = await measuredTokens(session, outcome.drafts).catch(() => 0);
  return before - after >= (before - goalTokens) * LEAST_SHARE
    ? []
    : [fault('compact', rule, `${asked}, and it frees ${String(before - after)}`)];
}

/** Turns through the whole loop; the host makes room by itself where the engine does not, so it must never end. */
async function longLife(session: LabSession, windowTokens: number): Promise<string | null> {
  await session.grow(plainTurns(8, Math.ceil(windowTokens / 4_000) * 8));
  for (let turn = 0; turn < 3; turn += 1) {
    const ended = await session.session.send(`And then? ${String(turn)}`).result.then(() => null, messageOf);
    if (ended !== null) return ended;
  }
  await session.close();
  return null;
}
