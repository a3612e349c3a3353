import type { BeforeCompactionHook, Clock, GuardToolHook, Hooks, TransformRequestHook } from '@palimpsest/contracts';
import { within } from './engine/deadline.ts';

/** A hook stands between a person and every request, as an engine's plan does, and gets as long. */
const HOOK_MS = 10_000;
/** A guard may ask a person. Nobody sits in front of a question for longer than this; a call that nobody decided on is denied. */
const GUARD_MS = 600_000;

/** The host's hooks as everybody calls them: none of them outlives its deadline or an abort. A late answer is dropped. */
export class BoundedHooks implements Hooks {
  readonly #hooks: Hooks;
  readonly #clock: Clock;

  /** @param hooks read at each use: a host may add to its lists. */
  constructor(hooks: Hooks, clock: Clock) {
    this.#hooks = hooks;
    this.#clock = clock;
  }

  get transformRequest(): readonly TransformRequestHook[] {
    return this.#hooks.transformRequest.map((hook) => ({
      name: hook.name,
      breaksCache: hook.breaksCache,
      run: (request, signal) => within(this.#clock, HOOK_MS, signal, (inner) => hook.run(request, inner)),
    }));
  }

  get beforeCompaction(): readonly BeforeCompactionHook[] {
    return this.#hooks.beforeCompaction.map((hook) => ({
      name: hook.name,
      run: (ask) => within(this.#clock, HOOK_MS, ask.signal, (signal) => hook.run({ ...ask, signal })),
    }));
  }

  get guardTool(): readonly GuardToolHook[] {
    return this.#hooks.guardTool.map((hook) => ({
      name: hook.name,
      run: (call, signal) => within(this.#clock, GUARD_MS, signal, (inner) => hook.run(call, inner)),
    }));
  }
}
