import { z } from 'zod';

/** Most windows allow less; nothing is said of that unless something else was asked for. */
export const MAX_SUMMARY_TOKENS = 10_000;

/** `context.engines.compressor` (alias `compression`). */
export const compressorOptions = z.strictObject({
  protect_first_n: z
    .int()
    .min(0)
    .default(3)
    .describe('Messages at the root that stay whole at the first compaction of a path; from the second one on there are none.'),
  protect_last_n: z
    .int()
    .min(1)
    .default(20)
    .describe("Newest messages to keep although the tail's budget is used up; at most 8 of them count, and none that do not fit."),
  target_ratio: z.number().default(0.2).describe("The tail's share of the start mark, 0.1 to 0.8; the tail is at most 20 % of the window."),
  min_tail_user_messages: z.int().min(1).default(1).describe('Newest real user messages that stay whole.'),
  max_summary_tokens: z
    .int()
    .min(1)
    .default(MAX_SUMMARY_TOKENS)
    .describe('Most tokens of one summary, where 5 % of the window is not less.'),
});
export type CompressorOptions = z.infer<typeof compressorOptions>;
