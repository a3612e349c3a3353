import type { Budget } from '@palimpsest/contracts';
import { MAX_SUMMARY_TOKENS, type CompressorOptions } from './options.ts';

const SOFT_CEILING = 1.5;
const LEAST_TARGET_RATIO = 0.1;
const MOST_TARGET_RATIO = 0.8;
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
  const budgetTokens = keepRecent ?? Math.min(wantedTail(budget, options), mostTail(budget));
  return { budgetTokens, ceilingTokens: Math.floor(budgetTokens * SOFT_CEILING) };
}

const targetRatio = ({ target_ratio: asked }: CompressorOptions): number =>
  Math.min(MOST_TARGET_RATIO, Math.max(LEAST_TARGET_RATIO, asked));
const wantedTail = (budget: Budget, options: CompressorOptions): number => Math.floor(budget.marks.start * targetRatio(options));
const mostTail = ({ window }: Budget): number => Math.floor(window.tokens * TAIL_SHARE_OF_WINDOW);

/** What was asked for and is not what is used, and why: a line each. */
export function movedOptions(budget: Budget, options: CompressorOptions, keepRecent: number | null): readonly string[] {
  const { target_ratio: ratio, max_summary_tokens: summary } = options;
  const [wanted, tail, most] = [wantedTail(budget, options), mostTail(budget), maxSummaryTokens(budget, options)];
  return [
    ...(ratio === targetRatio(options) ? [] : [`target_ratio ${String(ratio)}: ${String(targetRatio(options))} is used (0.1 to 0.8)`]),
    ...(keepRecent !== null || wanted <= tail
      ? []
      : [`target_ratio ${String(ratio)} asks for a tail of ${String(wanted)} tokens: ${String(tail)} are used (20 % of the window)`]),
    ...(summary === MAX_SUMMARY_TOKENS || summary <= most
      ? []
      : [`max_summary_tokens ${String(summary)}: ${String(most)} are used (5 % of the window)`]),
  ];
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
