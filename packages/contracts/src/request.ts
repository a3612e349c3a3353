/** A plan, rendered; and what comes back for it. */
import type { Budget, Judgement, Usage } from './budget.ts';
import type { ArtifactId, EntryId } from './ids.ts';
import type { Declined, Finish, ModelFault } from './log/entry.ts';
import type { ContextPlan } from './log/segments.ts';
import type { AssistantMessage, Json, Message } from './parts.ts';

/** `inputSchema` is a JSON Schema object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

export interface CallSettings {
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** Exactly what is sent, before a provider package writes it in its wire form. */
export interface ModelRequest {
  /** `wire:provider/model`, e.g. `openai-chat:replay/recorded`. */
  readonly route: string;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly messages: readonly Message[];
  readonly settings: CallSettings;
}

/** One message of a view and where it comes from. `shape` is `whole`, `reduced`, `summary` or `hook`. */
export interface ViewBlock {
  readonly origin: EntryId | 'system' | 'tools' | 'hook';
  readonly shape: string;
  readonly tokens: number;
}

/** A rendered and judged plan. */
export interface View {
  readonly plan: ContextPlan;
  readonly request: ModelRequest;
  readonly blocks: readonly ViewBlock[];
  readonly budget: Budget;
  readonly judgement: Judgement;
  /** The entry that set the epoch, or null; and why the prefix of the step before on this path no longer holds, or null. */
  readonly epoch: EntryId | null;
  readonly breakReason: string | null;
  readonly prompt: EntryId | null;
  /** What hooks changed, as an artifact; null: nothing. */
  readonly patch: ArtifactId | null;
  /** A hook put another conversation in place: maintenance must not act on it. */
  readonly replaced: boolean;
  /** `name@version` of the engine that made the plan, and for whom it stands in, with the reason; empty: it is the one that was asked for. */
  readonly engine: string;
  /** The engine the session is set to. */
  readonly chosen: string;
  readonly substitutions: readonly Declined[];
  /** Hooks whose request could not be sent, and why. */
  readonly declined: readonly Declined[];
}

/** A tool call that a reply asks for. `input` is its parsed arguments. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

export type Answer =
  | {
      readonly kind: 'reply';
      readonly message: AssistantMessage;
      readonly calls: readonly Call[];
      readonly usage: Usage;
      readonly finish: Finish;
    }
  | { readonly kind: 'failed'; readonly fault: ModelFault }
  | { readonly kind: 'aborted'; readonly partial?: string };

/** Pieces of an answer while it arrives. */
export type Delta =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-input-delta'; readonly callId: string; readonly text: string };

/** A model on one route. Never rejects for what a provider did: that is an {@link Answer}. */
export interface Model {
  readonly route: string;
  call(request: ModelRequest, options: { readonly signal: AbortSignal; readonly onDelta?: (delta: Delta) => void }): Promise<Answer>;
}

/** Writes a request in a provider's wire form, with the provider package's own code. Owned by `models`. */
export type WireName = 'openai-chat' | 'openai-responses' | 'anthropic';
export interface Wire {
  readonly name: WireName;
  /** The body's exact text, as it would be sent. @throws MODEL_REQUEST_INVALID when the provider package refuses the request. */
  body(request: ModelRequest): Promise<string>;
}
