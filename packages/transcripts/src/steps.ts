/** What a record means, in terms no format knows of. A reader turns each record into steps; pairing, placing and counting see only these. */
import type { AssistantPart, Body, Finish, Json, ToolOutput, ToolSchema, Usage, UserPart } from '@palimpsest/contracts';
import type { InputKind, SkipReason, UserOrigin } from './transcript.ts';

/** `line`: where the text stands, when that is another record. `elsewhere`: that record counts as the one that is read, this one does not. */
export interface UserStep {
  readonly do: 'user';
  readonly origin: UserOrigin;
  readonly by?: InputKind;
  readonly content: UserPart[];
  readonly images: number;
  readonly line?: number;
  readonly elsewhere?: true;
}
/**
 * One record's share of a model message. Records with the same `key` are one message; null: a message of its own.
 * A call with `providerExecuted` is answered in the same message: its result part stands behind it in `parts`.
 */
export interface AssistantStep {
  readonly do: 'assistant';
  readonly key: string | null;
  readonly parts: readonly AssistantPart[];
  readonly thinking: number;
  readonly signed: number;
  readonly usage: Usage | null;
  readonly finish: Finish | null;
  readonly images?: number;
  /** Kept as detail when the message turns out to have no part at all. */
  readonly empty: Json;
}
export interface ResultStep {
  readonly do: 'result';
  readonly callId: string;
  readonly output: ToolOutput;
  readonly images: number;
  /** No result was recorded, this one is the reader's: it knows why. */
  readonly made?: true;
}
export interface HiddenStep {
  readonly do: 'hidden';
  readonly body: Body;
  readonly reduction?: true;
}
/** Session data. `read`: the record is the prompt entry. A title of higher rank wins, of equal rank the last one. */
export interface FactsStep {
  readonly do: 'facts';
  readonly read?: true;
  readonly id?: string;
  readonly title?: { readonly text: string; readonly rank: number };
  readonly system?: string;
  readonly tools?: readonly ToolSchema[];
}
export interface SkipStep {
  readonly do: 'skip';
  readonly reason: SkipReason;
  readonly detail?: string;
}
export interface NoteStep {
  readonly do: 'note';
  readonly reason: string;
}
/** The message of this key stands here, whatever record holds it later. */
export interface ReserveStep {
  readonly do: 'reserve';
  readonly key: string;
}
/** Tokens recorded apart from the message they belong to; null: to none that is known. */
export interface UsageStep {
  readonly do: 'usage';
  readonly key: string | null;
  readonly usage: Usage;
}
export type Step = UserStep | AssistantStep | ResultStep | HiddenStep | FactsStep | SkipStep | NoteStep | ReserveStep | UsageStep;

export const skip = (reason: SkipReason, detail?: string): SkipStep => ({
  do: 'skip',
  reason,
  ...(detail === undefined ? {} : { detail }),
});
export const note = (reason: string): NoteStep => ({ do: 'note', reason });
