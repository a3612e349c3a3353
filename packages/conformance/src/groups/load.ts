import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, type Step } from '../conversations.ts';
import { longestStall } from '../time.ts';

const ENTRIES = 100_000;

export const load: readonly Check[] = [
  {
    group: 'load', name: '100,000 entries, and the event loop comes round',
    run: async ({ lab, stallLimitMs, stalled }: CheckContext): Promise<Found> => {
      const turns = Array.from({ length: ENTRIES / 2 }, (_, at): Step[] => [{ kind: 'user', text: `Question ${String(at)}` }, { kind: 'reply', text: filler(1, at) }]).flat();
      const session = await (await lab.session({ windowTokens: 200_000 })).grow(turns);
      // The first count of all loads the vocabulary, which is no engine's fault.
      lab.spy.blockTokens('');
      const before = lab.spy.calls.length;
      const ms = await longestStall(async () => {
        await session.plan();
        await session.compact({ goalTokens: 100_000 });
      });
      stalled(ms);
      const late = lab.spy.calls.slice(before).filter((call) => call.late !== undefined).map(({ method }) => fault(method, 'deadline', 'on 100,000 entries it does not answer in time'));
      session.faults.splice(0);
      return ms > stallLimitMs ? [...late, fault('compact', 'stalls', `it kept the event loop for ${ms.toFixed(0)} ms at a stretch; let others run between pages`)] : late;
    },
  },
];
