import { fault, TRIES, type Check, type CheckContext, type Found } from '../check.ts';
import { filler, type Step } from '../conversations.ts';
import type { LabSession } from '../lab-session.ts';
import type { Fault } from '../report.ts';
import { measured } from '../time.ts';

const ENTRIES = 100_000;
/** So many times longer than somebody who only reads the branch may an engine take, on this machine and now; and keep the event loop. */
const READINGS = { plan: 10, compact: 20 } as const;
const READINGS_AT_A_STRETCH = 2;

export const load: readonly Check[] = [
  {
    group: 'load', name: '100,000 entries, and the event loop comes round', triesItself: true,
    run: async (context: CheckContext): Promise<Found> => {
      const { lab } = context;
      const turns = Array.from({ length: ENTRIES / 2 }, (_, at): Step[] => [{ kind: 'user', text: `Question ${String(at)}` }, { kind: 'reply', text: filler(1, at) }]).flat();
      const session = await (await lab.session({ windowTokens: 200_000 })).grow(turns);
      // The first count of all loads the vocabulary, which is no engine's fault.
      lab.spy.blockTokens('');
      const reading = await readings(session);
      const found = await weighed(context, reading, 'plan', () => session.plan());
      const isAsked = lab.spy.engines.at(-1)?.compact !== undefined;
      session.faults.splice(0);
      return isAsked ? [...found, ...(await weighed(context, reading, 'compact', () => session.compact({ goalTokens: 100_000 }).finally(() => session.faults.splice(0))))] : found;
    },
  },
];

/** The best of some tries: a machine may be busy once. */
async function weighed({ lab: { spy }, stallLimitMs, stalled }: CheckContext, reading: Reading, method: 'plan' | 'compact', work: () => Promise<unknown>): Promise<readonly Fault[]> {
  spy.patience.atLeastMs = reading.longestMs * READINGS[method];
  const limitMs = Math.max(stallLimitMs, reading.bestMs * READINGS_AT_A_STRETCH);
  let least = Number.POSITIVE_INFINITY;
  for (let tries = spy.patience.isHung(method) ? TRIES : 0; tries < TRIES && least > limitMs; tries += 1) {
    spy.patience.askAgain(method);
    const { stallMs } = await measured(work);
    if (spy.of(method).at(-1)?.late === undefined) least = Math.min(least, stallMs);
  }
  if (least === Number.POSITIVE_INFINITY) return [fault(method, 'deadline', `on ${String(ENTRIES)} entries it does not answer in time`)];
  stalled(least);
  return least <= limitMs ? [] : [fault(method, 'stalls', `it kept the event loop for ${least.toFixed(0)} ms at a stretch; let others run between pages`)];
}

interface Reading { readonly bestMs: number; readonly longestMs: number }

/** How long it takes to read all of it: the first time, and once it is warm. */
async function readings(session: LabSession): Promise<Reading> {
  const took: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) took.push((await measured(() => read(session))).ms);
  return { bestMs: Math.min(...took), longestMs: Math.max(...took) };
}

async function read(session: LabSession): Promise<void> {
  const branch = session.kit.journal.branch();
  for await (const { entry } of branch.oldestFirst(null)) if (entry.id === branch.last) return;
}
