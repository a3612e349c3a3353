import { fault, TRIES, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, type Step } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { measured } from '../time.ts';

const ENTRIES = 100_000;
/** So many times longer than somebody who only reads the branch may an engine take, on this machine and now; and keep the event loop. */
const READINGS = { plan: 10, compact: 20 } as const;
const READINGS_AT_A_STRETCH = 2;

/** Each is a person's words, an entry that is never shown, and one of a few replies. */
const replies = Array.from({ length: 20 }, (_, at): Step => ({ kind: 'reply', text: filler(1, at) }));
const turns: readonly Step[] = Array.from({ length: Math.ceil(ENTRIES / 3) }, (_, at): Step[] => [
  { kind: 'user', text: `Question ${String(at)}` },
  replies[at % replies.length] ?? { kind: 'label' },
]).flat();

export const load: readonly Check[] = [
  {
    group: 'load',
    name: '100,000 entries, and the event loop comes round',
    triesItself: true,
    ownThreads: true,
    run: async (context: CheckContext): Promise<Found> => {
      const { lab } = context;
      const session = await lab.session({ windowTokens: 200_000 });
      await session.grow(turns);
      const firstMs = (await measured(() => read(session))).ms;
      const found = await weighed(context, { session, firstMs }, 'plan', () => session.plan());
      const isAsked = lab.spy.engines.at(-1)?.compact !== undefined;
      session.faults.splice(0);
      return isAsked
        ? [
            ...found,
            ...(await weighed(context, { session, firstMs }, 'compact', () =>
              session.compact({ goalTokens: 100_000 }).finally(() => session.faults.splice(0)),
            )),
          ]
        : found;
    },
  },
];

/** The first reading of all takes longest, as the first work of an engine does. */
interface Large {
  readonly session: LabSession;
  readonly firstMs: number;
}

/** A machine may be busy for a while: each try is held against a reading right before it, and the best of some counts. */
async function weighed(
  { lab: { spy }, stallLimitMs, stalled }: CheckContext,
  { session, firstMs }: Large,
  method: 'plan' | 'compact',
  work: () => Promise<unknown>,
): Promise<readonly Fault[]> {
  const stalls: number[] = [];
  let isLong = true;
  for (let tries = spy.patience.isHung(method) ? TRIES : 0; tries < TRIES && isLong; tries += 1) {
    const reading = (await measured(() => read(session))).ms;
    spy.patience.atLeastMs = Math.max(firstMs, reading) * READINGS[method];
    spy.patience.askAgain(method);
    const { stallMs } = await measured(work);
    if (spy.of(method).at(-1)?.late !== undefined) continue;
    stalls.push(stallMs);
    isLong = stallMs > Math.max(stallLimitMs, reading * READINGS_AT_A_STRETCH);
  }
  if (stalls.length === 0) return [fault(method, 'deadline', `on ${String(ENTRIES)} entries it does not answer in time`)];
  const least = Math.min(...stalls);
  stalled(least);
  return isLong
    ? [fault(method, 'stalls', `it kept the event loop for ${least.toFixed(0)} ms at a stretch; let others run between pages`)]
    : [];
}

async function read(session: LabSession): Promise<void> {
  const branch = session.kit.journal.branch();
  for await (const { entry } of branch.oldestFirst(null)) if (entry.id === branch.last) return;
}
