/** What a turn needs: nouns, each owned by one package and reached by token. The kernel's `turn.ts` is written in these words. */
import type { Budget, Judgement } from './budget.ts';
import type {
  BranchReader,
  CommittedTurn,
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  Drafts,
  Note,
  Placed,
  TurnEnd,
  TurnStart,
  UsageReport,
} from './engine/v1/engine.ts';
import type { EngineClaims } from './engine/v1/manifest.ts';
import type { ArtifactId, EntryId, SessionId } from './ids.ts';
import type { Declined, Draft, Entry, Trigger } from './log/entry.ts';
import type { Artifact } from './log/ports.ts';
import type { ContextPlan, NothingSegment, SummarySegment } from './log/segments.ts';
import type { Message } from './parts.ts';
import type { Answer, Call, Model, ModelRequest, ToolSchema, View } from './request.ts';
import type { UserInput } from './session.ts';

/** The one mutable thing of a turn. */
export interface OpenTurn {
  readonly id: EntryId;
  readonly input: UserInput;
  /** Accepted replies so far. */
  steps: number;
  /** Overflow recoveries in a row. */
  recoveries: number;
  /** The last reply's text. */
  text: string;
  /** Calls of the last reply that have no result yet. */
  calls: readonly Call[];
  /** What maintenance declined since the last step, for its record. */
  declined: readonly Declined[];
  /** What the provider proved too long; caps the budget until a reply is accepted. */
  refused: { readonly tokens: number; readonly statedLimit: number | null } | null;
  ended: TurnEnd | null;
}

/** The session's log, bound to its lease: every append carries leaf and fence. */
export interface Journal {
  readonly session: SessionId;
  /** Takes the lease, renews it meanwhile, gives every call that a crash left open its result. @throws SESSION_BUSY. */
  hold(): Promise<{ release(): Promise<void> }>;
  /** Appends, folds, and announces. Empty input writes nothing. @throws LOG_* */
  append(drafts: readonly Draft[], artifacts?: readonly Artifact[]): Promise<readonly Entry[]>;
  branch(): BranchReader;
  /** What the branch would cost with these drafts in force. Pure; nothing is written. @throws ENGINE_PLAN_INVALID when they break a rule of the log. */
  preview(drafts: Drafts): Promise<{ readonly shownTokens: number }>;
  readonly newestUserEntry: EntryId | null;
  /** The whole path in units, oldest first: entries that are not covered (silent ones too), summaries and gaps between them. Loaded; never the whole log. */
  shown(): readonly Shown[];
}
/**
 * One unit of the path as it stands now: an entry, a summary in force that covers up to `through`, or a stretch of which nothing is
 * shown. A host compaction that keeps a summary or a gap repeats its `segment` as it is; edges of new segments lie between units.
 */
export type Shown =
  | { readonly kind: 'entry'; readonly placed: Placed }
  | { readonly kind: 'summary'; readonly through: EntryId; readonly by: EntryId; readonly tokens: number; readonly segment: SummarySegment }
  | { readonly kind: 'gap'; readonly through: EntryId; readonly by: EntryId; readonly tokens: 0; readonly segment: NothingSegment };

/** plan (guarded engine) → render → hooks → judge. Reads only. */
export interface Views {
  assemble(turn: OpenTurn, signal: AbortSignal): Promise<View>;
  /** No request: the branch as shown and what is about to be added. */
  gauge(incoming: UserInput | null): Judgement;
  /** The same against the threshold marks: after a turn. */
  threshold(): Judgement;
  /** The budget as of now. */
  budget(turn: OpenTurn | null): Budget;
  /** What is other than at the path's last step: a `prompt` draft where system text or tools changed, a `model-change`, an `engine-change`. */
  changeDrafts(turn: EntryId | null): Promise<{ readonly drafts: readonly Draft[]; readonly artifacts: readonly Artifact[] }>;
}

export interface Climb {
  readonly trigger: Trigger;
  readonly turn: OpenTurn | null;
  readonly judged: Judgement;
  readonly focus?: string;
  readonly signal: AbortSignal;
}
/** Rungs 1 to 4 and the guards, one append per rung. Never throws for an engine's or a model's fault. */
export interface Ladder {
  climb(ask: Climb): Promise<Climbed>;
}
export interface Climbed {
  readonly changed: boolean;
  readonly declined: readonly Declined[];
}

/** Guard and run. One result for each call, abort and denial included; never rejects. */
export interface Toolbox {
  /** Of everything the model may call now, in a fixed order. */
  readonly schemas: readonly ToolSchema[];
  run(turn: OpenTurn, signal: AbortSignal): Promise<readonly Draft[]>;
  /** A result as an entry: what a host's own loop hands in. */
  shape(turn: OpenTurn, call: Call, result: unknown): Promise<Draft>;
  /** Of an engine's tools only: no guard is asked. @throws TOOL_UNKNOWN. */
  call(name: string, input: Call['input'], signal: AbortSignal): Promise<unknown>;
}

/** The engine behind deadlines, generations, plan checks and the failure policy: nothing here throws for the engine's sake. */
export interface GuardedEngine {
  /** `name@version` of the engine that answers now. */
  readonly name: string;
  readonly engine: ContextEngine;
  readonly claims: EngineClaims;
  plan(ask: {
    readonly purpose: 'turn' | 'tool-loop' | 'measure' | 'preview';
    readonly budget: Budget;
    readonly signal: AbortSignal;
  }): Promise<ContextPlan>;
  compact(
    ask: Pick<CompactRequest, 'trigger' | 'goalTokens' | 'keepRecent' | 'focus' | 'protectedEntries' | 'budget' | 'signal'>,
  ): Promise<CompactOutcome>;
  begin(turn: TurnStart): Promise<readonly Note[]>;
  commit(turn: Omit<CommittedTurn, 'generation'>): Promise<void>;
  observe(usage: UsageReport): void;
  close(): Promise<void>;
}

/** An engine at work in a session. `name` is `name@version`; what it claims is its manifest's. */
export interface EngineSeat {
  readonly name: string;
  readonly engine: ContextEngine;
  readonly claims: EngineClaims;
}
export interface GuardSettings {
  readonly chosen: EngineSeat;
  /** Answers for the rest of a turn in which the chosen one failed; null: then the turn fails (`on_engine_failure: fail`). */
  readonly fallback: EngineSeat | null;
  /** The engine that was asked for and why the chosen one stands in for it; null: it is the chosen one. In the record of every step. */
  readonly substitution: Declined | null;
  /** Deadlines in milliseconds: for a plan, a compaction, any other call. */
  readonly planMs: number;
  readonly compactMs: number;
  readonly callMs: number;
}

/** A plan as messages. Owned by `prompt`; pure but for reading artifacts. */
export interface Renderer {
  /** Changes whenever the same plan would give other bytes. */
  readonly version: string;
  /** What a message will stand as in the request, for counting: its text without images, and how many images it has. Opaque parts count on their own route only. */
  countable(message: Message, route?: string): { readonly text: string; readonly images: number };
  /** What a system text, and what tool schemas, will stand as. */
  countablePrompt(system: string, tools: readonly ToolSchema[]): { readonly system: string; readonly tools: string };
  /** The text the model is shown for a summary, wrapper and all. */
  summaryText(text: string): string;
  /** The text the model is shown for a note (a `custom` entry). */
  noteText(by: string, text: string): string;
  /** The request shares the entries' messages where nothing in them had to change: they belong to the log, nobody writes to them. */
  render(ask: RenderAsk): Promise<ModelRequest>;
}
export interface RenderAsk {
  readonly route: string;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly settings: ModelRequest['settings'];
  readonly blocks: readonly RenderBlock[];
  /** Awaited now and then, so that a long view does not hold up the event loop; left out: rendered in one go. */
  readonly pause?: () => Promise<void>;
  readonly artifact: (id: ArtifactId) => Promise<string>;
  /** Opaque reasoning of entries up to here (by `seq`) is left out: the prefix it was made under is gone. */
  readonly opaqueAfterSeq: number;
}
/** What a plan shows, in order. */
export type RenderBlock =
  | { readonly kind: 'entry'; readonly placed: Placed }
  | {
      readonly kind: 'summary';
      readonly through: EntryId;
      readonly segment: { readonly text: { readonly inline: string } | { readonly artifact: ArtifactId }; readonly tokens: number };
    };

/** Messages that came while a turn was running. */
export interface Inbox {
  /** Takes what wants to join the running turn. */
  steering(): readonly UserInput[];
  readonly empty: boolean;
}

export interface TurnLimits {
  readonly steps: number;
  readonly recoveries: number;
  readonly autoContinue: boolean;
  readonly hygiene: boolean;
}

/** Time and chance, injected: replay needs them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  elapsed(): number;
  /** Rejects with the signal's reason when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets the event loop come round once: for work that would otherwise hold it. */
  pause(): Promise<void>;
  /** Calls back every `ms` until stopped; does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}
/** A session's own time, milliseconds since the epoch: the clock's, or a replay's, in which a fixed time passes per step. Guards of maintenance run by it. */
export interface SessionTime {
  now(): number;
}
/** Names a session's entries: at random, or in a replay so that the same file gives the same names. Never a name twice in one store. */
export interface SessionIds {
  entry(): EntryId;
}
export interface Ids {
  entry(): EntryId;
  session(): SessionId;
  /** Names a holder of leases: one that no other process has, ever. */
  owner(): string;
  /** True only where it is certain that the process which named this owner is gone: its leases need not be waited for. */
  isGone(owner: string): boolean;
}

export type { Answer, Model };
