/** Group shape: whatever a host may ask, in every way it may ask. */
import type { CompactRequest, PlanRequest, Trigger } from '@palimpsest/contracts';
import type { Check, CheckContext, Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import type { Fault } from '../report.ts';
import { proposal } from '../rules/proposals.ts';

export const PURPOSES: readonly PlanRequest['purpose'][] = ['turn', 'tool-loop', 'measure', 'preview'];
const TRIGGERS: readonly Trigger[] = ['hygiene', 'threshold', 'overflow', 'idle', 'manual', 'model-switch', 'prepare'];
const WISHES: readonly Pick<CompactRequest, 'focus' | 'keepRecent'>[] = [
  { focus: 'the files that were read', keepRecent: null },
  { focus: null, keepRecent: 0 },
];

export const requests: readonly Check[] = [
  {
    group: 'shape',
    name: 'a plan for every purpose',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(6));
      for (const purpose of PURPOSES) await session.plan(purpose);
      return session.faults.splice(0);
    },
  },
  {
    group: 'shape',
    name: 'a plan once more, when one was refused',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(6));
      lab.spy.bend.rejected = Object.freeze([{ rule: 'not-whole', problem: 'the last segment does not end at the leaf' }]);
      await session.plan();
      return session.faults.splice(0);
    },
  },
  {
    group: 'shape',
    name: 'room for every trigger, focus and part to keep',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(12));
      const goalTokens = Math.floor(session.shownTokens / 2);
      const found: Fault[] = [];
      for (const ask of [...TRIGGERS.map((trigger) => ({ trigger })), ...WISHES])
        found.push(...(await proposal(session, { goalTokens, ...ask })));
      return [...found, ...session.faults.splice(0)];
    },
  },
];
