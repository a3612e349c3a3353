import { z } from 'zod';
import { artifactId, entryId } from '../ids.ts';

/**
 * How good a summary is, best first: written by a model, by a model under a tight limit, extracted from the text, a line
 * of facts, a bare notice that something was left out.
 */
export const quality = z.enum(['model', 'tight', 'extract', 'stub', 'notice']);
export type Quality = z.infer<typeof quality>;

/** Whose words the shown text repeats, most trusted first; the renderer never gives a summary more authority than this. */
export const trust = z.enum(['user', 'assistant', 'tool', 'external']);
export type Trust = z.infer<typeof trust>;

/** What words of both are worth. Pure. */
export function lowerTrust(a: Trust, b: Trust): Trust {
  return trust.options.indexOf(b) > trust.options.indexOf(a) ? b : a;
}

const through = { through: entryId };

/** Shows every entry of the stretch in its current shape. */
export const entriesSegment = z.object({ ...through, show: z.literal('entries') }).readonly();
/** What a notice stands for: messages and earlier summaries, and their tokens as the log holds them. By these figures neighbouring notices become one. */
export const leftOut = z
  .object({ messages: z.number().int().nonnegative(), summaries: z.number().int().nonnegative(), tokens: z.number().int().nonnegative() })
  .readonly();
export type LeftOut = z.infer<typeof leftOut>;
export const NOTHING_LEFT_OUT: LeftOut = { messages: 0, summaries: 0, tokens: 0 };

/** What a notice in place of two says. Pure. */
export function addLeftOut(a: LeftOut, b: LeftOut): LeftOut {
  return { messages: a.messages + b.messages, summaries: a.summaries + b.summaries, tokens: a.tokens + b.tokens };
}
/** Shows one text in place of the stretch. `text` is the text itself or the id of an artifact whose body it is; `tokens` counts it with the wrapper the host puts around it. */
export const summarySegment = z
  .object({
    ...through,
    show: z.literal('summary'),
    text: z.union([z.object({ inline: z.string() }).readonly(), z.object({ artifact: artifactId }).readonly()]),
    tokens: z.number().int().nonnegative(),
    quality,
    trust,
    leftOut: leftOut.exactOptional(),
  })
  .readonly();
/** Shows nothing of the stretch; says why, and how its entries can still be reached (null: only through the log). */
export const nothingSegment = z
  .object({ ...through, show: z.literal('nothing'), reason: z.string().min(1), reach: z.string().nullable() })
  .readonly();

/**
 * A stretch of one path: from the entry after the previous segment's `through` (the root for the first) up to and including
 * its own `through`. Segments therefore partition a path by construction. An edge never cuts a tool group or a logged summary.
 */
export const segment = z.union([entriesSegment, summarySegment, nothingSegment]);
export type EntriesSegment = z.infer<typeof entriesSegment>;
export type SummarySegment = z.infer<typeof summarySegment>;
export type NothingSegment = z.infer<typeof nothingSegment>;
export type Segment = EntriesSegment | SummarySegment | NothingSegment;

/** What an engine wants to be shown in one step: a partition of the branch, its last segment ending at the leaf. `estimateTokens` is the engine's own guess, for display. */
export const contextPlan = z.object({ segments: z.array(segment).readonly(), estimateTokens: z.number().nonnegative() }).readonly();
export interface ContextPlan {
  readonly segments: readonly Segment[];
  readonly estimateTokens: number;
}
