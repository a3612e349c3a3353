/** Which timers are an engine's own. A count of all that run in the process would blame it for those of a test runner. */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { afterOwn, waited } from './time.ts';

export interface TimerWatch {
  /** Timers started in here, or later by what was begun in here, are watched. */
  readonly within: <R>(work: () => R) => R;
  /** How many keep the process alive still, once those that were about to end had so long to. */
  left(settleMs: number): Promise<number>;
  stop(): void;
}

interface Timer {
  hasRef(): boolean;
}

export function watchTimers(): TimerWatch {
  const inside = new AsyncLocalStorage<true>();
  const running = new Map<number, Timer>();
  const hook = createHook({
    init: (id, type, _trigger, resource) => {
      if ((type === 'Timeout' || type === 'Immediate') && inside.getStore() === true) running.set(id, resource as Timer);
    },
    destroy: (id) => {
      running.delete(id);
    },
  }).enable();
  const counted = (): number => [...running.values()].filter((timer) => timer.hasRef()).length;
  return {
    within: (work) => inside.run(true, work),
    left: (settleMs) => settled(counted, settleMs),
    stop: () => {
      hook.disable();
    },
  };
}

async function settled(counted: () => number, settleMs: number): Promise<number> {
  let isOver = false;
  const stop = afterOwn(settleMs, () => {
    isOver = true;
  });
  while (counted() > 0 && !isOver) await waited(10);
  stop();
  return counted();
}
