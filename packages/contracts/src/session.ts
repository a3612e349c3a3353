/** The embedding surface: all a host developer touches, next to its own tools, models and storage. */
import { z } from 'zod';
import type { Budget, Usage } from './budget.ts';
import type { EngineDefinition, Resolution } from './engine/v1/manifest.ts';
import type { EngineStatus, TurnEnd } from './engine/v1/engine.ts';
import type { EventMap, EventName, StreamPart } from './events.ts';
import type { EntryId, SessionId } from './ids.ts';
import { userMessage, type AssistantMessage, type Json, type ToolMessage, type UserPart } from './parts.ts';
import type { Call, ModelRequest, View } from './request.ts';

/** What a host may say whose words these are. */
export const inputOrigin = z.enum(['user_input', 'continuation', 'notice', 'observation']);
/** `origin` says whose words these are; default `user_input`. Bytes of an image or a file are given as base64 text. */
export interface UserInput {
  readonly content: string | readonly UserPart[];
  readonly origin?: z.infer<typeof inputOrigin>;
}
/** An input in parts, as it may be said; one that is text is checked as one text part. */
export const inputInParts = z.object({
  content: z.array(userMessage.shape.content.element, 'neither text nor a list of parts'),
  origin: inputOrigin.exactOptional(),
});

/** `steps` and `usage` are those of all that one input led to, also after the turn went on by itself; `text` is the last answer's. */
export interface TurnResult {
  readonly turn: EntryId;
  readonly text: string;
  readonly ended: TurnEnd;
  readonly steps: number;
  readonly usage: Usage;
}

/** Starts at once. Leaving the loop over it does not abort: only the signal does. */
export interface Turn extends AsyncIterable<StreamPart> {
  /** Rejects with the typed error when the turn ends `failed` or `exhausted`, else resolves with how it ended. Never an unhandled rejection. */
  readonly result: Promise<TurnResult>;
}

/** Names one prepared step until it is recorded. */
export type StepId = string & { readonly __step: never };
export interface Prepared {
  readonly stepId: StepId;
  readonly request: ModelRequest;
  readonly why: View;
}
export type Refusal =
  | { readonly refused: 'exhausted'; readonly tokens: number; readonly effective: number; readonly parts: Readonly<Record<string, number>> }
  | { readonly refused: 'step-limit' | 'aborted' };
export type Recorded =
  | { readonly next: 'tools'; readonly calls: readonly Call[] }
  | { readonly next: 'done'; readonly ended: TurnEnd }
  | { readonly next: 'retry' }
  | { readonly next: 'exhausted' };

/**
 * For a host with its own loop; `send` is written with the same verbs. An unrecorded `prepare` is superseded by the next. A turn that `record`
 * calls `done` has ended, `failed` too, and was committed; the next one begins with `submit`. A host that tries a failed call again does so
 * before it records.
 */
export interface StepLoop {
  /** Opens a turn: hygiene, the user's entry, the engine's cues. Ends the turn before, if one is open. @throws INPUT_INVALID. */
  submit(input: string | UserInput): Promise<EntryId>;
  /** The next request, judged; or why there is none. @throws LOOP_NO_TURN before the first `submit`, and after a turn that is done. */
  prepare(options?: { readonly signal?: AbortSignal }): Promise<Prepared | Refusal>;
  /** An error with `kind` and `message` is a fault that the host has classified; anything else is of unknown kind. @throws LOOP_NO_TURN, LOOP_STEP_UNKNOWN for a step that was superseded or recorded before, LOOP_ANSWER_INVALID (two calls of one id are no answer). */
  record(
    stepId: StepId,
    answer: { readonly reply: AssistantMessage; readonly usage?: Usage } | { readonly error: unknown },
  ): Promise<Recorded>;
  /** The result as the model will see it. @throws LOOP_NO_TURN, LOOP_STEP_UNKNOWN, LOOP_CALL_UNKNOWN. */
  recordToolResult(stepId: StepId, callId: string, result: unknown): Promise<ToolMessage>;
  /** Runs an engine's or the runtime's own tool. A host runs its own itself: here they are TOOL_UNKNOWN, for only a turn asks the guards before it runs one. */
  callTool(name: string, args: Json): Promise<unknown>;
}

export interface Session {
  readonly id: SessionId;
  readonly loop: StepLoop;
  /** During a turn it queues; `steer` joins the running one. An input that is none is refused before anything is written: its `result` rejects with INPUT_INVALID. */
  send(input: string | UserInput, options?: { readonly signal?: AbortSignal; readonly steer?: boolean }): Turn;
  /** One line of what it did. */
  compact(options?: { readonly focus?: string }): Promise<string>;
  /** Lifts the newest active compaction or reduction. @throws UNDO_NOTHING, UNDO_DOES_NOT_FIT. */
  undo(): Promise<string>;
  moveTo(entry: EntryId | null): Promise<void>;
  /** What the model saw at a step (default: the newest), block by block with the reason for each, and the exact request. @throws WHY_NO_STEP. */
  why(step?: EntryId | number): Promise<Why>;
  status(): Promise<SessionStatus>;
  on<N extends EventName>(name: N, seen: (event: EventMap[N]) => void): () => void;
  close(): Promise<void>;
}

export interface WhyBlock {
  readonly origin: string;
  readonly shape: string;
  readonly tokens: number;
  readonly reason: string;
  readonly preview: string;
}
export interface Why {
  readonly session: SessionId;
  readonly step: EntryId;
  readonly index: number;
  readonly engine: string;
  readonly route: string;
  readonly epoch: EntryId | null;
  readonly breakReason: string | null;
  readonly budget: Budget;
  readonly judgement: { readonly tokens: number; readonly mark: string; readonly metric: string };
  readonly blocks: readonly WhyBlock[];
  readonly hidden: readonly {
    readonly from: EntryId;
    readonly through: EntryId;
    readonly entries: number;
    readonly reason: string;
    readonly reach: string | null;
  }[];
  readonly declined: readonly { readonly what: string; readonly why: string }[];
  /** The exact text that was, or would be, sent. */
  readonly body: string;
  /** The rebuilt request hashes to what the step recorded. */
  readonly verified: boolean;
}

export interface SessionStatus {
  readonly session: SessionId;
  readonly leaf: EntryId | null;
  readonly entries: number;
  readonly model: string;
  /** `status` is what the engine says of itself; null: nothing, or it failed to. */
  readonly engine: Resolution & { readonly active: string; readonly failures: readonly string[]; readonly status: EngineStatus | null };
  readonly budget: Budget;
  readonly shownTokens: number;
  readonly compaction: EntryId | null;
}

/** A host's own tool. What `run` returns is text, JSON, or rejects: then the error's message is the result. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  run(input: Json, context: { readonly signal: AbortSignal; readonly callId: string }): Promise<unknown>;
}

export interface Runtime {
  /** @throws RUNTIME_CLOSED after `close`, MODEL_UNKNOWN, ENGINE_*. */
  openSession(options?: { readonly id?: string; readonly name?: string }): Promise<Session>;
  registerContextEngine(definition: EngineDefinition): void;
  close(): Promise<void>;
}
