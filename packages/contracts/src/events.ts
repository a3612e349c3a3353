/** What happened, as it happens. Observers change nothing, are awaited by nobody, and their faults are never felt by the turn. */
import type { Budget, Judgement } from './budget.ts';
import type { EntryId, SessionId } from './ids.ts';
import type { Entry, ModelFault, Trigger } from './log/entry.ts';
import type { TurnEnd } from './engine/v1/engine.ts';
import type { Json } from './parts.ts';
import type { Call, Delta, ModelRequest } from './request.ts';

/** Where an event happened. */
export interface In {
  readonly session: SessionId;
  readonly turn: EntryId | null;
}

/** Every name is emitted somewhere: one is added together with what makes it happen. */
export interface EventMap {
  'entry.appended': In & { readonly entry: Entry };
  'turn.started': In;
  'turn.completed': In & { readonly ended: TurnEnd };
  'plan.made': In & { readonly engine: string; readonly estimateTokens: number; readonly ms: number };
  'view.assembled': In & {
    readonly judgement: Judgement;
    readonly budget: Budget;
    readonly epoch: EntryId | null;
    readonly breakReason: string | null;
  };
  'step.failed': In & { readonly fault: ModelFault; readonly attempt: number };
  'maintenance.started': In & { readonly trigger: Trigger };
  'reduction.completed': In & {
    readonly trigger: Trigger;
    readonly entry: EntryId;
    readonly items: number;
    readonly before: number;
    readonly after: number;
  };
  'compaction.completed': In & {
    readonly trigger: Trigger;
    readonly by: string;
    readonly entry: EntryId;
    readonly before: number;
    readonly after: number;
  };
  'compaction.deferred': In & { readonly trigger: Trigger; readonly guard: string; readonly until: string };
  'compaction.refused': In & { readonly trigger: Trigger; readonly by: string; readonly why: string };
  /** Nothing is left to make smaller, or a provider refused what was made smaller, too. The session stays usable. */
  'context.exhausted': In & { readonly tokens: number; readonly effective: number };
  'engine.failed': In & { readonly engine: string; readonly method: string; readonly rule: string };
  'engine.replaced': In & { readonly from: string; readonly to: string; readonly rule: string };
  /** What an engine says through its host; what it says before anybody can listen waits for the session's first event. */
  'engine.logged': In & { readonly engine: string; readonly level: 'info' | 'warn'; readonly text: string; readonly details: Json | null };
  /** What a `transform-request` hook made cannot be sent: the request goes on as it was before that hook. */
  'hook.refused': In & { readonly hook: string; readonly rule: string; readonly why: string };
  'session.repaired': In & { readonly calls: number };
  'lease.lost': In & { readonly why: string };
}
export type EventName = keyof EventMap;
export type PalimpsestEvent = { readonly [N in EventName]: { readonly name: N } & EventMap[N] }[EventName];

export interface Events {
  emit<N extends EventName>(name: N, event: EventMap[N]): void;
  /** Returns how to stop seeing. */
  on<N extends EventName>(name: N, seen: (event: EventMap[N]) => void): () => void;
  onAny(seen: (event: PalimpsestEvent) => void): () => void;
}

/** What a turn streams: deltas while a reply arrives, and every event in order. */
export type StreamPart = Delta | (PalimpsestEvent & { readonly type: 'event' });

/**
 * Ordered, before the judgement. Returns the request to send, or null for no change. Runs up to twice a request, so it must be repeatable.
 * Like every hook it has a deadline, and is not waited for once its signal aborts. What it returns has to be a legal request: to the same
 * route, calls with their results, the first message the user's, and, unless it has replaced the conversation, the newest user input (added to,
 * or edited where it stands). Anything else is left out, with `hook.refused`.
 */
export interface TransformRequestHook {
  readonly name: string;
  readonly breaksCache: boolean;
  run(
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<{ readonly request: ModelRequest; readonly replacedConversation: boolean } | null>;
}
/** May keep more of the newest part, or defer a soft compaction. */
export interface BeforeCompactionHook {
  readonly name: string;
  run(ask: {
    readonly trigger: Trigger;
    readonly keepRecent: number | null;
    readonly signal: AbortSignal;
  }): Promise<{ readonly keepRecent?: number; readonly defer?: true } | null>;
}
/** First answer wins; null: no opinion. It may ask a person: its deadline is ten minutes. */
export interface GuardToolHook {
  readonly name: string;
  run(call: Call, signal: AbortSignal): Promise<'allow' | 'ask' | { readonly deny: string } | null>;
}
/** The three hooks that may change behaviour. */
export interface Hooks {
  readonly transformRequest: readonly TransformRequestHook[];
  readonly beforeCompaction: readonly BeforeCompactionHook[];
  readonly guardTool: readonly GuardToolHook[];
}
