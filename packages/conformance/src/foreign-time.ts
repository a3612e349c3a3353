/** The machine's clock as an engine sees it, moved: an engine has the host's clock, and nothing it answers may depend on another. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface MovedClock {
  /** In here, and in what is begun in here, `Date` is moved. */
  readonly within: <R>(work: () => R) => R;
  move(ms: number): void;
  stop(): void;
}

export function movedClock(): MovedClock {
  const own = Date;
  const inside = new AsyncLocalStorage<true>();
  let movedMs = 0;
  const now = (): number => own.now() + (inside.getStore() === true ? movedMs : 0);
  globalThis.Date = new Proxy(own, {
    construct: (target, given: readonly unknown[], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
    apply: () => new own(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  return {
    within: (work) => inside.run(true, work),
    move: (ms) => {
      movedMs += ms;
    },
    stop: () => {
      globalThis.Date = own;
    },
  };
}
