import type { Budget } from '@palimpsest/contracts';
import type { CompressorOptions } from './options.ts';

const SOFT_CEILING = 1.5;
const TAIL_SHARE_OF_WINDOW = 0.2;
const SUMMARY_SHARE_OF_WINDOW = 0.05;
const SUMMARY_SHARE_OF_MIDDLE = 0.2;
const LEAST_SUMMARY_TOKENS = 2_000;
/** The floor in messages stops here, whatever `protect_last_n` says. */
const FLOOR_CAP = 8;

/** Of the tail, in tokens. */
export interface TailLimits {
  readonly budgetTokens: number;
  /** A first walk may go this far, so that a message that is a little too large does not end the tail. */
  readonly ceilingTokens: number;
}

/** `keepRecent` is the operator's word and is not bound to a share of the window. */
export function tailLimits(budget: Budget, options: CompressorOptions, keepRecent: number | null): TailLimits {
  const most = Math.floor(budget.window.tokens * TAIL_SHARE_OF_WINDOW);
  const budgetTokens = keepRecent ?? Math.min(Math.floor(budget.marks.start * options.target_ratio), most);
  return { budgetTokens, ceilingTokens: Math.floor(budgetTokens * SOFT_CEILING) };
}

/** How many messages the tail has at least, where they fit; `afterHead` is the number of messages behind the head. */
export function tailFloor(protectLastN: number, afterHead: number): number {
  const eligible = afterHead - 1;
  if (eligible <= 1) return 0;
  return Math.min(Math.max(3, Math.min(protectLastN, FLOOR_CAP)), Math.max(3, eligible - 2), eligible);
}

export function maxSummaryTokens(budget: Budget, options: CompressorOptions): number {
  return Math.min(Math.floor(budget.window.tokens * SUMMARY_SHARE_OF_WINDOW), options.max_summary_tokens);
}

/** What a summary of `middleTokens` may cost; the minimum wins over a smaller maximum. */
export function summaryTarget(middleTokens: number, maxTokens: number): number {
  return Math.max(LEAST_SUMMARY_TOKENS, Math.min(Math.floor(middleTokens * SUMMARY_SHARE_OF_MIDDLE), maxTokens));
}
