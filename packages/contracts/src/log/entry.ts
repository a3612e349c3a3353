/**
 * What happened in a session: log format version 1. Entries are immutable: maintenance, undo and navigation are
 * new entries. What the model is shown is decided by folding the entries of one path, never by changing them.
 */
import { z } from 'zod';
import { budget, judgement, usage } from '../budget.ts';
import { artifactId, entryId, sessionId } from '../ids.ts';
import { json, message } from '../parts.ts';
import { contextPlan, segment, type ContextPlan, type Segment, type Trust } from './segments.ts';

/**
 * Who a message comes from, by provenance and not by role: a person (or the task of a benchmark run), the client's push to
 * go on, a summary of older turns, client text, output of something that ran, the model, a tool.
 */
export const origin = z.enum(['user_input', 'continuation', 'handoff', 'notice', 'observation', 'model', 'tool']);
export type Origin = z.infer<typeof origin>;

const trustByOrigin: Readonly<Record<Origin, Trust>> = {
  user_input: 'user',
  model: 'assistant',
  tool: 'tool',
  continuation: 'external',
  handoff: 'external',
  notice: 'external',
  observation: 'external',
};

/** What the words of a message of this origin are worth. Pure. */
export function trustOf(from: Origin): Trust {
  return trustByOrigin[from];
}

/** What made the ladder climb. */
export const trigger = z.enum(['hygiene', 'threshold', 'overflow', 'idle', 'manual', 'model-switch', 'prepare']);
export type Trigger = z.infer<typeof trigger>;

/** Why a model stopped. */
export const finish = z.enum(['stop', 'tool-calls', 'length', 'refused', 'other']);
export type Finish = z.infer<typeof finish>;

/** A provider's refusal, classified. `limit` and `requested` are tokens, where the provider stated them. */
export const modelFault = z
  .object({
    kind: z.enum(['overflow', 'rate_limit', 'output_cap', 'payload_size', 'overloaded', 'auth', 'quota', 'invalid', 'network', 'unknown']),
    message: z.string(),
    limit: z.number().exactOptional(),
    requested: z.number().exactOptional(),
  })
  .readonly();
export type ModelFault = z.infer<typeof modelFault>;

export const messageBody = z
  .object({
    kind: z.literal('message'),
    origin,
    message,
    /** Kept, never shown: an imported summary or a reply that the client made up. */
    hidden: z.literal(true).exactOptional(),
    /** How many of the entry's tokens its opaque parts are. They are sent, and cost something, only in the epoch they were made in. */
    opaqueTokens: z.number().int().nonnegative().exactOptional(),
    /** Where an imported message stood. `record` is an artifact that holds the source line among its neighbours. */
    source: z.object({ format: z.string(), line: z.number().int(), record: artifactId.exactOptional() }).readonly().exactOptional(),
  })
  .readonly();
/** The system text and tool schemas in force from here on. */
export const promptBody = z
  .object({
    kind: z.literal('prompt'),
    system: artifactId,
    tools: artifactId,
    systemTokens: z.number().int(),
    toolsTokens: z.number().int(),
  })
  .readonly();
/** A snapshot: `segments` is ALL that is in force from the root to the last `through`; what follows is shown. Only the newest active one of a path counts. */
export const compactionBody = z
  .object({
    kind: z.literal('compaction'),
    /** The path's root, so that nobody has to walk there to name it. Set by the host. */
    first: entryId.exactOptional(),
    /** The engine's name, or `host`, or the tool an imported one came from. */
    by: z.string(),
    trigger,
    segments: z.array(segment).readonly(),
    /** Shown tokens of the whole branch, by the host's metric. */
    tokensBefore: z.number().int(),
    tokensAfter: z.number().int(),
    /** One line for lists. */
    short: z.string().exactOptional(),
    /** The engine's own state, as an artifact. */
    state: artifactId.exactOptional(),
    details: json.exactOptional(),
    /** Recorded by another tool and imported: kept, never in force. */
    hidden: z.literal(true).exactOptional(),
  })
  .readonly();
export const reductionReason = z.enum(['pruned', 'superseded', 'masked', 'offloaded', 'windowed']);
/**
 * `part` is the call id whose result or arguments are shown as `text`, or null for the whole entry. `tokens` is what the entry costs
 * in all once this item is applied. Call ids repeat in real sessions: `target` says which side of the pair, and the id is looked up within `entry`.
 */
export const reductionItem = z
  .object({
    entry: entryId,
    part: z.string().nullable(),
    target: z.enum(['result', 'arguments', 'text']),
    text: z.string(),
    tokens: z.number().int(),
    reason: reductionReason,
  })
  .readonly();
/** From now on these parts are shown as these texts. Pairing is untouched. */
export const reductionBody = z
  .object({
    kind: z.literal('reduction'),
    by: z.string(),
    trigger,
    items: z.array(reductionItem).readonly(),
    tokensBefore: z.number().int(),
    tokensAfter: z.number().int(),
  })
  .readonly();
/** Lifts the newest active compaction or reduction of its path: last in, first out. */
export const undoBody = z.object({ kind: z.literal('undo'), lifts: entryId }).readonly();
export const stepOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), reply: entryId, finish }).readonly(),
  z.object({ kind: z.literal('failed'), fault: modelFault }).readonly(),
  z.object({ kind: z.literal('aborted'), partial: z.string().exactOptional() }).readonly(),
  z.object({ kind: z.literal('refused'), code: z.string() }).readonly(),
]);
export type StepOutcome = z.infer<typeof stepOutcome>;
export const declined = z.object({ what: z.string(), why: z.string() }).readonly();
export type Declined = z.infer<typeof declined>;
/** One model call. The request is render(plan, prompt, settings), then `patch`; it is never stored, always rebuilt. */
export const stepBody = z
  .object({
    kind: z.literal('step'),
    /** `wire:provider/model`. */
    route: z.string(),
    engine: z.string(),
    /** The engine the session is set to, where another stood in for it. */
    chosen: z.string().exactOptional(),
    budget,
    judgement,
    /**
     * The entry that set the epoch; null: nothing broke the prefix since the root. And why the request does not begin with what the step before
     * on this path had sent: the kind of a new epoch's entry, `hook`, `navigation` (the leaf was moved since) or `selection`; null: it does.
     */
    epoch: entryId.nullable(),
    breakReason: z.string().nullable(),
    plan: contextPlan as unknown as z.ZodType<ContextPlan>,
    prompt: entryId.nullable(),
    renderer: z.string(),
    settings: json,
    patch: artifactId.nullable(),
    /** sha256 over route, system text, tools, settings and each message's digest of the request as it was sent, hexadecimal; and how many messages it had. */
    hash: z.string(),
    messages: z.number().int().nonnegative(),
    usage: usage.nullable(),
    outcome: stepOutcome,
    declined: z.array(declined).readonly(),
  })
  .readonly();
export const branchSummaryBody = z
  .object({
    kind: z.literal('branch-summary'),
    left: entryId,
    summary: z.string(),
    details: json.exactOptional(),
    hidden: z.literal(true).exactOptional(),
  })
  .readonly();
/** From here on. `model` is the route; written at the first turn on another one than the path's last. */
export const modelChangeBody = z
  .object({
    kind: z.literal('model-change'),
    model: z.string(),
    role: z.enum(['permanent', 'temporary']),
    reason: z.enum(['user', 'promotion', 'fallback', 'imported']),
  })
  .readonly();
/** From here on; `name@version`. `reason`: `user`, `version` (the same engine in another version), `substitution` (the one asked for was not to be had). */
export const engineChangeBody = z
  .object({ kind: z.literal('engine-change'), from: z.string(), to: z.string(), reason: z.string() })
  .readonly();
/** A host's, engine's or plugin's own data. `shown` is what the model is shown of it; null: nothing. */
export const customBody = z
  .object({ kind: z.literal('custom'), by: z.string(), key: z.string(), data: json, shown: z.string().nullable() })
  .readonly();
export const labelBody = z.object({ kind: z.literal('label'), target: entryId, label: z.string().nullable() }).readonly();
export const tombstoneBody = z.object({ kind: z.literal('tombstone'), was: z.string(), hash: z.string() }).readonly();

export const body = z.discriminatedUnion('kind', [
  messageBody,
  promptBody,
  compactionBody,
  reductionBody,
  undoBody,
  stepBody,
  branchSummaryBody,
  modelChangeBody,
  engineChangeBody,
  customBody,
  labelBody,
  tombstoneBody,
]);

export type MessageBody = z.infer<typeof messageBody>;
export type PromptBody = z.infer<typeof promptBody>;
export type CompactionBody = Omit<z.infer<typeof compactionBody>, 'segments'> & { readonly segments: readonly Segment[] };
export type ReductionItem = z.infer<typeof reductionItem>;
export type ReductionReason = z.infer<typeof reductionReason>;
export type ReductionBody = z.infer<typeof reductionBody>;
export type UndoBody = z.infer<typeof undoBody>;
export type StepBody = z.infer<typeof stepBody>;
export type BranchSummaryBody = z.infer<typeof branchSummaryBody>;
export type ModelChangeBody = z.infer<typeof modelChangeBody>;
export type EngineChangeBody = z.infer<typeof engineChangeBody>;
export type CustomBody = z.infer<typeof customBody>;
export type LabelBody = z.infer<typeof labelBody>;
export type TombstoneBody = z.infer<typeof tombstoneBody>;
export type Body =
  | MessageBody
  | PromptBody
  | CompactionBody
  | ReductionBody
  | UndoBody
  | StepBody
  | BranchSummaryBody
  | ModelChangeBody
  | EngineChangeBody
  | CustomBody
  | LabelBody
  | TombstoneBody;
export type EntryKind = Body['kind'];

export const envelope = z
  .object({
    id: entryId,
    parent: entryId.nullable(),
    session: sessionId,
    /** Position in the session, from 1; never restarts, never reused. */
    seq: z.number().int().positive(),
    /** Distance from the root, from 0. */
    depth: z.number().int().nonnegative(),
    /** UTC, ISO 8601 with milliseconds; from the injected clock of the writer. */
    time: z.string(),
    /** The entry that started the turn this entry belongs to; null outside a turn. */
    turn: entryId.nullable(),
    /** Counted once, whole and as rendered, with the store's counter. 0 for what the model never sees. */
    tokens: z.number().int().nonnegative(),
  })
  .readonly();
export type Envelope = z.infer<typeof envelope>;
/** One immutable thing that happened. */
export type Entry<B extends Body = Body> = B extends Body ? Envelope & B : never;
/** What a writer hands in. The log sets parent, session, seq and depth. */
export type Draft<B extends Body = Body> = B extends Body ? Pick<Envelope, 'id' | 'time' | 'turn' | 'tokens'> & B : never;
