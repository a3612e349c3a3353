import { z } from 'zod';

/** `context.engines.lcm`. Tokens are the host's. */
export const lcmOptions = z.strictObject({
  /** Newest part that is never summed up while anything older can be. */
  tail_tokens: z.int().min(0).default(8000).describe('Newest tokens that are summed up last; at most half of the goal.'),
  leaf_source_tokens: z.int().min(200).default(12_000).describe('A leaf covers about so many tokens, in whole turns.'),
  leaf_target_ratio: z.number().gt(0).max(0.5).default(0.12).describe('Share of its source that a leaf may cost.'),
  leaf_max_tokens: z.int().min(160).default(1600).describe('Most tokens of one leaf.'),
  fold_fanout: z.int().min(2).max(16).default(6).describe('So many neighbouring nodes become one of the next level.'),
  fold_max_tokens: z.int().min(160).default(1400).describe('Most tokens of a node above the leaves.'),
});
export type LcmOptions = z.infer<typeof lcmOptions>;
