/**
 * The engine contract, version 1 (1.0-rc until two engines have lived in it). A context engine chooses what the
 * model is shown and makes room. It returns references into the log and drafts; the host renders, judges, measures and commits.
 * Minor versions only add request fields: an engine must ignore fields it does not know.
 */
import type { Budget, Usage } from '../../budget.ts';
import type { ArtifactId, EntryId, SessionId } from '../../ids.ts';
import type { CompactionBody, Entry, ReductionItem, Trigger } from '../../log/entry.ts';
import type { Artifact, Hit } from '../../log/ports.ts';
import type { ContextPlan, Quality, Segment, SummarySegment } from '../../log/segments.ts';
import type { Json } from '../../parts.ts';

export const ENGINE_CONTRACT_VERSION = '1.0-rc';

/** How an entry is shown now. */
export type Shape =
  | { readonly kind: 'whole' }
  /** Some parts are shown as other texts; the items in force, newest per part. */
  | { readonly kind: 'reduced'; readonly items: readonly ReductionItem[] }
  /** A compaction stands for it: by its summary, or by nothing (null). Bookkeeping in a covered stretch is covered like the rest of it. */
  | { readonly kind: 'covered'; readonly by: EntryId; readonly segment: SummarySegment | null }
  /** Never shown, and in no covered stretch: bookkeeping, hidden messages. */
  | { readonly kind: 'silent' };

/** One entry of a path as it is shown now. */
export interface Placed {
  readonly entry: Entry;
  readonly shape: Shape;
  /** Tokens it costs now: 0 for silent and covered ones (a summary's tokens are the segment's). */
  readonly shownTokens: number;
  /** An assistant message with calls and its results share a group, named by the assistant entry: in or out together. Other entries are their own group. */
  readonly group: EntryId;
}

/** Reads one path, root to `last`. A snapshot: later appends do not show in it. Nobody has to load a whole log. */
export interface BranchReader {
  /** From `from` (itself included; default: the leaf) to the root. */
  newestFirst(from?: EntryId): AsyncIterable<Placed>;
  /** From the entry after `after` (null: the root) to the leaf. */
  oldestFirst(after: EntryId | null): AsyncIterable<Placed>;
  /** Null: not on this path. */
  get(id: EntryId): Promise<Placed | null>;
  readonly first: EntryId;
  readonly last: EntryId;
  /** What the whole branch costs as it is shown now, summaries included; fixed costs are not in it. */
  readonly shownTokens: number;
  /** The newest active compaction on this path, undo considered. */
  readonly compaction: Entry<CompactionBody> | null;
}

export interface EngineRequest {
  readonly session: SessionId;
  readonly branch: BranchReader;
  /** The newest entry of origin `user_input`; it has to be in every view. Null: there is none. */
  readonly newestUserEntry: EntryId | null;
  readonly budget: Budget;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch after which the answer is refused. */
  readonly deadlineMs: number;
}

/** A rule that a plan breaks: its name in the documentation of plans, and what is wrong, with the ids concerned. */
export interface PlanViolation {
  readonly rule: string;
  readonly problem: string;
}

export interface PlanRequest extends EngineRequest {
  readonly purpose: 'turn' | 'tool-loop' | 'measure' | 'preview';
  readonly query?: string;
  /** The answer to this same request was no legal plan, and this is why; asked once more, then the failure policy applies. Absent: it is asked for the first time, or the answer before threw or was late. */
  readonly rejected?: readonly PlanViolation[];
}

export interface CompactRequest extends EngineRequest {
  readonly trigger: Trigger;
  /** Shown tokens of the whole branch to get down to. */
  readonly goalTokens: number;
  /** Tokens of the newest part to keep whole; null: the engine's own setting. */
  readonly keepRecent: number | null;
  /** What the operator wants kept in mind; reference text, no instruction to the host. */
  readonly focus: string | null;
  /** Must not be covered: newest user input, the open tool batch. */
  readonly protectedEntries: readonly EntryId[];
  /** Answers of an older generation are refused. */
  readonly generation: number;
}

export interface CompactionDraft {
  readonly segments: readonly Segment[];
  readonly short?: string;
  readonly state?: ArtifactId;
  readonly details?: Json;
}

/** What an engine proposes. The host plans over branch + drafts, measures, then writes all in one append, or none. */
export interface Drafts {
  readonly compaction?: CompactionDraft;
  readonly reductions?: readonly ReductionItem[];
  readonly artifacts?: readonly Artifact[];
}

export type CompactOutcome =
  | { readonly kind: 'compacted'; readonly drafts: Drafts }
  | { readonly kind: 'prepared'; readonly artifacts: readonly Artifact[] }
  | { readonly kind: 'noop'; readonly reason: 'under-mark' | 'nothing-eligible' | 'no-gain' }
  | { readonly kind: 'deferred'; readonly until: 'idle' | 'usage' | { readonly atMs: number } }
  | {
      readonly kind: 'irreducible';
      readonly floorTokens: number;
      readonly parts: Readonly<Record<string, number>>;
      readonly advice: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: string; readonly retryable: boolean };

export interface TurnStart {
  readonly turn: EntryId;
  readonly branch: BranchReader;
  readonly signal: AbortSignal;
}
/** A cue for the model: appended as a `custom` entry behind the user's. Reference material, never system authority. */
export interface Note {
  readonly key: string;
  readonly text: string;
}
export type TurnEnd = 'answered' | 'step-limit' | 'output-cap' | 'aborted' | 'exhausted' | 'failed';
export interface CommittedTurn {
  readonly turn: EntryId;
  readonly branch: BranchReader;
  readonly ended: TurnEnd;
  readonly generation: number;
  readonly signal: AbortSignal;
}
export interface UsageReport {
  readonly step: EntryId;
  readonly route: string;
  readonly usage: Usage;
  readonly estimatedTokens: number;
}

/** A tool an engine offers to the model. Its answer is text, at most `maxTokens`: of a longer one the host shows the beginning, and says so. */
export interface EngineTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  run(input: Json, call: { readonly branch: BranchReader; readonly maxTokens: number; readonly signal: AbortSignal }): Promise<string>;
}
export interface EngineStatus {
  readonly summary: string;
  readonly details?: Json;
}

/** One object per session. Every call has a deadline; a throw, a late or a wrong answer is handled by the host's failure policy. */
export interface ContextEngine {
  /** Pure. Same branch, budget and engine state give the same plan. `[{ through: branch.last, show: 'entries' }]` is a complete one: covered stretches show as their logged summary. */
  plan(request: PlanRequest): ContextPlan | Promise<ContextPlan>;
  /** Make room, or prepare to. Returns drafts; the host measures and commits them. Absent: this engine leaves that to the host. */
  compact?(request: CompactRequest): Promise<CompactOutcome>;
  /** Once per turn, after the user's entry and before the first plan. */
  begin?(turn: TurnStart): Promise<readonly Note[]>;
  /** A turn ended, however it did. Idempotent by turn id. */
  commit?(turn: CommittedTurn): Promise<'committed' | 'duplicate'>;
  /** Measured usage of a step. Nobody waits for it; a promise that rejects is reported like a throw. */
  observe?(usage: UsageReport): void | Promise<void>;
  readonly tools?: readonly EngineTool[];
  status?(): EngineStatus;
  close?(): Promise<void>;
}

export interface Summary {
  readonly text: string;
  readonly quality: Quality;
  readonly model: string | null;
  readonly tokens: number;
}

/** All that an engine is given: no container, no paths, no global state. */
export interface EngineHost<Options = unknown> {
  /** Validated against the manifest's schema, frozen. */
  readonly options: Options;
  readonly session: SessionId;
  /** Milliseconds since the epoch, from the injected clock. */
  now(): number;
  /** In [0, 1), seeded per session. */
  random(): number;
  /** Lets others run: awaited now and then by work that takes more than some milliseconds at a stretch. Reading a branch does it by itself. */
  pause(): Promise<void>;
  readonly log: { info(text: string, details?: Json): void; warn(text: string, details?: Json): void };
  readonly tokens: {
    count(text: string): number;
    /** With the wrapper the host puts around a summary. */
    block(text: string): number;
  };
  /** Writes a summary with the fallback ladder: model, tight, extract, stub. Never rejects but for the signal; without any model it is deterministic. */
  summarize(ask: {
    readonly purpose: string;
    readonly source: readonly Placed[];
    readonly prior?: string;
    readonly focus?: string;
    readonly maxTokens: number;
    readonly signal: AbortSignal;
  }): Promise<Summary>;
  readonly artifacts: {
    make(kind: string, body: string, source: Artifact['source'], madeBy: Json): Artifact;
    get(id: ArtifactId): Promise<Artifact | null>;
  };
  /** A namespaced, rebuildable store for indexes. */
  readonly derived: {
    get(key: string): Promise<Json | null>;
    set(key: string, value: Json): Promise<void>;
    list(prefix: string, limit: number): Promise<readonly string[]>;
    clear(): Promise<void>;
  };
  search(text: string, limit: number): Promise<readonly Hit[]>;
  readonly info: { readonly contract: string; readonly product: string; readonly granted: readonly string[] };
}

export type EngineFactory<Options = unknown> = (host: EngineHost<Options>) => ContextEngine | Promise<ContextEngine>;
