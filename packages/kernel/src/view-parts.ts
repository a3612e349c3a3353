import { CLOCK, EVENTS, sessionToken, TOKEN_COUNTER, TURN_LIMITS } from '@palimpsest/contracts';
import type { Clock, Events, TokenCounter, TurnLimits } from '@palimpsest/contracts';
import { bind, type Binding } from '@palimpsest/wiring';
import { DRAFTS, type DraftWriter } from './drafts.ts';
import { KERNEL_ENGINE, type EngineGuard } from './engine/guard.ts';
import { KERNEL_JOURNAL, type LeasedJournal } from './journal.ts';
import { PROMPT_KEEPER, type PromptKeeper } from './prompt-keeper.ts';
import { REQUEST_HOOKS, type RequestHooks } from './request-hooks.ts';

/** The session's own parts that a view is made of, next to the packages it calls. */
export interface ViewParts {
  readonly journal: LeasedJournal;
  readonly engine: EngineGuard;
  readonly prompts: PromptKeeper;
  readonly hooks: RequestHooks;
  readonly drafts: DraftWriter;
  readonly events: Events;
  readonly clock: Clock;
  readonly counter: TokenCounter;
  readonly limits: TurnLimits;
}

export const VIEW_PARTS = sessionToken<ViewParts>('kernel.view-parts');

export const viewParts: Binding = bind(VIEW_PARTS).toFactory(
  [KERNEL_JOURNAL, KERNEL_ENGINE, PROMPT_KEEPER, REQUEST_HOOKS, DRAFTS, EVENTS, CLOCK, TOKEN_COUNTER, TURN_LIMITS],
  (journal, engine, prompts, hooks, drafts, events, clock, counter, limits): ViewParts => ({
    journal,
    engine,
    prompts,
    hooks,
    drafts,
    events,
    clock,
    counter,
    limits,
  }),
);
