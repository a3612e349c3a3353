import type { CommittedTurn, CompactRequest, PlanRequest, TurnStart } from '@palimpsest/contracts';
import { fault, type Check, type CheckContext, type Found } from '../check.ts';
import { plainTurns } from '../conversations.ts';
import { Late } from '../patience.ts';
import type { Fault } from '../report.ts';
import type { EngineCall, Spy } from '../spy.ts';
import { after } from '../time.ts';
import { watchTimers } from '../timers.ts';

/** So long before the signal may an engine that asks no summariser have worked. */
const BEGUN_MS = 20;
/** Longer than a method may take to stop: what was under way at the end has had the time to end its timers. */
const SETTLED_GRACES = 1.2;

export const cancel: readonly Check[] = [
  {
    group: 'cancel',
    name: 'stops within a second when told to',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const stop = new AbortController();
      // A summariser that waits for the signal: the engine is in the middle of its work when it comes.
      lab.spy.bend.summarize = ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener(
            'abort',
            () => {
              reject(signal.reason as Error);
            },
            { once: true },
          );
          after(0, () => {
            stop.abort();
          });
        });
      const session = await (await lab.session()).grow(plainTurns(20));
      const given = after(BEGUN_MS, () => {
        stop.abort();
      });
      await session.compact({ goalTokens: Math.floor(session.shownTokens / 2), signal: stop.signal });
      given();
      await lab.spy.settled();
      return lab.spy.of('compact').flatMap(wentOn);
    },
  },
  {
    group: 'cancel',
    name: 'takes a signal that was given before it began',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const session = await (await lab.session()).grow(plainTurns(4));
      await session.compact({ goalTokens: 1 });
      await session.session.send('And?').result.catch(() => undefined);
      const found: Fault[] = [];
      for (const method of ['plan', 'compact', 'begin', 'commit'] as const)
        found.push(...(await stopped(method, () => sentAgain(lab.spy, method))));
      const signal = AbortSignal.abort();
      for (const tool of lab.spy.watched.at(-1)?.tools ?? [])
        found.push(
          ...(await stopped(`tools.${tool.name}`, () => tool.run({}, { branch: session.kit.journal.branch(), maxTokens: 500, signal }))),
        );
      return found;
    },
  },
  {
    group: 'cancel',
    name: 'leaves no timer behind',
    run: async ({ lab }: CheckContext): Promise<Found> => {
      const timers = watchTimers();
      lab.spy.within = timers.within;
      try {
        const session = await (await lab.session()).grow(plainTurns(14));
        await session.session.compact();
        await session.session.send('And?').result.catch(() => undefined);
        await session.close();
        const left = await timers.left(lab.spy.patience.graceMs * SETTLED_GRACES);
        return left > 0 ? [fault('close', 'leaked-timers', `${String(left)} timers still run after close`)] : [];
      } finally {
        timers.stop();
      }
    },
  },
];

function wentOn({ late }: EngineCall): readonly Fault[] {
  if (late === 'abort') return [fault('compact', 'ignores-abort', 'it went on for a second after it was told to stop')];
  return late === 'deadline' ? [fault('compact', 'deadline', 'it did not answer in time')] : [];
}

/** The host asks nobody under a signal that was given: this is its own request, sent once more. */
function sentAgain(spy: Spy, method: 'plan' | 'compact' | 'begin' | 'commit'): unknown {
  const [engine, asked] = [spy.watched.at(-1), spy.of(method).at(-1)];
  return asked === undefined
    ? null
    : engine?.[method]?.({ ...(asked.request as PlanRequest & CompactRequest & TurnStart & CommittedTurn), signal: AbortSignal.abort() });
}

/** Whatever it answers or throws, it has to do so within the grace. */
async function stopped(method: string, run: () => unknown): Promise<readonly Fault[]> {
  const error: unknown = await Promise.resolve()
    .then(run)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  return error instanceof Late && error.why === 'abort'
    ? [fault(method, 'ignores-abort', 'asked under a signal that was given before, it does not answer within a second')]
    : [];
}
