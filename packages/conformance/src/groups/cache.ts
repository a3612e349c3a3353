import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';

export const cache: readonly Check[] = [
  {
    group: 'cache',
    name: 'between compactions the prefix only grows',
    run: async ({ lab, definition }: CheckContext): Promise<Found> => {
      const session = await (await lab.session({ windowTokens: 64_000 })).grow(plainTurns(4));
      const breaks: string[] = [];
      session.session.on('view.assembled', ({ breakReason }) => {
        if (breakReason !== null) breaks.push(breakReason);
      });
      for (let turn = 0; turn < 6; turn += 1) await session.session.send(`Go on, ${String(turn)}.`).result.catch(() => undefined);
      // A choice per request is a kind of engine; it has to say so.
      if (definition.manifest.provides.includes('selection')) return 'skipped';
      return breaks.filter((reason) => reason === 'selection').length === 0
        ? []
        : [
            fault(
              'plan',
              'prefix-broken',
              `${String(breaks.length)} of 6 turns changed what was sent before; declare provides: [selection] if that is what the engine is for`,
            ),
          ];
    },
  },
];
