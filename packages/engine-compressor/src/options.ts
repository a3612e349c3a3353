import { z } from 'zod';

/** `context.engines.compressor` (alias `compression`). */
export const compressorOptions = z.strictObject({
  /** Messages at the root that stay whole at the first compaction of a path; from the second one on there are none. */
  protect_first_n: z.int().min(0).default(3),
  /** Newest messages to keep although the tail's budget is used up; at most 8 of them count, and none that do not fit. */
  protect_last_n: z.int().min(1).default(20),
  /** The tail's share of the start mark; clamped to 0.10 to 0.80. */
  target_ratio: z
    .number()
    .overwrite((ratio) => Math.min(0.8, Math.max(0.1, ratio)))
    .default(0.2),
  /** Newest real user messages that stay whole. */
  min_tail_user_messages: z.int().min(1).default(1),
  /** Most tokens of one summary, where 5 % of the window is not less. */
  max_summary_tokens: z.int().min(1).default(10_000),
});
export type CompressorOptions = z.infer<typeof compressorOptions>;
