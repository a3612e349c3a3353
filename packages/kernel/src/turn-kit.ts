import { CLOCK, EVENTS, INBOX, LADDER, MODEL, sessionToken, TOOLBOX, TURN_LIMITS } from '@palimpsest/contracts';
import type {
  Clock,
  Draft,
  Events,
  Inbox,
  Ladder,
  Model,
  ModelFault,
  ModelRequest,
  OpenTurn,
  Toolbox,
  TurnEnd,
  TurnLimits,
  View,
} from '@palimpsest/contracts';
import { bind, type Binding } from '@palimpsest/wiring';
import { DRAFTS, type DraftWriter } from './drafts.ts';
import { KERNEL_ENGINE, type EngineGuard } from './engine/guard.ts';
import { hashOf } from './hash.ts';
import { INPUT_ON_DISK } from './input-on-disk.ts';
import { KERNEL_JOURNAL, type LeasedJournal } from './journal.ts';
import { askModel } from './model-call.ts';
import { KERNEL_VIEWS, type RenderedViews } from './views.ts';

/** How a model is called: the signal, and where deltas go. */
export type CallOptions = Parameters<Model['call']>[1];

/** What comes after a recorded answer. */
export type Next = 'tools' | 'retry' | TurnEnd;

/** What a turn is written with. */
export interface TurnKit {
  readonly journal: LeasedJournal;
  readonly views: RenderedViews;
  readonly ladder: Ladder;
  readonly model: Model;
  readonly tools: Toolbox;
  readonly engine: EngineGuard;
  readonly inbox: Inbox;
  readonly limits: TurnLimits;
  readonly events: Events;
  readonly drafts: DraftWriter;
  /** Gives every call that was left open its result: "interrupted, outcome unknown". It is never run again. */
  repair(): Promise<void>;
  /** Calls the model. Its answer counts once what was asked is on disk. @throws STORE_*, nothing of the model's. */
  ask: Model['call'];
  /** Remembers what a provider refused. */
  failed(turn: OpenTurn, view: View, fault: ModelFault): void;
  /** Records a request that was not sent because it does not fit. */
  exhausted(turn: OpenTurn, view: View): Promise<void>;
}

type Parts = Omit<TurnKit, 'repair' | 'ask' | 'failed' | 'exhausted'>;

export const TURN_KIT = sessionToken<TurnKit>('kernel.turn-kit');

export const turnKit: Binding = bind(TURN_KIT).toFactory(
  [KERNEL_JOURNAL, KERNEL_VIEWS, LADDER, MODEL, TOOLBOX, KERNEL_ENGINE, INBOX, TURN_LIMITS, EVENTS, DRAFTS, CLOCK, INPUT_ON_DISK],
  (journal, views, ladder, model, tools, engine, inbox, limits, events, drafts, clock, onDisk): TurnKit => {
    const parts: Parts = { journal, views, ladder, model, tools, engine, inbox, limits, events, drafts };
    return {
      ...parts,
      repair: () => repair(parts),
      ask: async (request, call) => {
        const [answer] = await Promise.all([askModel(model, clock, request, call), onDisk.flush(), hashedMeanwhile(clock, request)]);
        return answer;
      },
      failed: (turn, view, fault) => {
        failed(parts, turn, view, fault);
      },
      exhausted: (turn, view) => exhausted(parts, turn, view),
    };
  },
);

/** What the step will record of the request, while the model is busy with it: once it has answered, somebody waits. */
async function hashedMeanwhile(clock: Clock, request: ModelRequest): Promise<void> {
  await clock.pause();
  hashOf(request);
}

async function repair({ journal, drafts, events }: Parts): Promise<void> {
  const open = journal.openCalls();
  if (open === null) return;
  const results: Draft[] = [];
  for (const call of open.calls)
    results.push(await drafts.result(call, { type: 'error-text', value: 'interrupted, outcome unknown' }, open.entry.turn));
  await journal.append(results);
  events.emit('session.repaired', { session: journal.session, turn: open.entry.turn, calls: results.length });
}

function failed(parts: Parts, turn: OpenTurn, view: View, fault: ModelFault): void {
  if (fault.kind === 'overflow') {
    turn.recoveries += 1;
    turn.refused = { tokens: view.judgement.tokens, statedLimit: fault.limit ?? null };
  }
  parts.events.emit('step.failed', { session: parts.journal.session, turn: turn.id, fault, attempt: turn.recoveries });
  if (fault.kind === 'overflow' && turn.recoveries > parts.limits.recoveries) announceExhausted(parts, turn, view);
}

async function exhausted(parts: Parts, turn: OpenTurn, view: View): Promise<void> {
  await parts.journal.append(await parts.drafts.step(turn, view, { kind: 'exhausted' }));
  announceExhausted(parts, turn, view);
}

function announceExhausted({ journal, events }: Parts, turn: OpenTurn, { judgement, budget }: View): void {
  events.emit('context.exhausted', { session: journal.session, turn: turn.id, tokens: judgement.tokens, effective: budget.effective });
}
