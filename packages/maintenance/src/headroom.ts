/** Whole requests and shown tokens of the branch, from one to the other. Pure. */
import type { Budget, Judgement, Mark } from '@palimpsest/contracts';

export interface Headroom {
  /** Tokens of the request beyond fixed costs and branch: what is about to come in, and what the metric adds. */
  readonly extraTokens: number;
  readonly budget: Budget;
}

/**
 * At most half of what is available is set aside for what comes in: more of it would not fit anyway and becomes a window once it
 * has been written.
 */
export function headroomOf(budget: Budget, judged: Judgement, shownTokens: number): Headroom {
  const beyond = judged.tokens - budget.fixed.total - shownTokens;
  return { budget, extraTokens: Math.max(0, Math.min(beyond, Math.floor(budget.available / 2))) };
}

export function requestTokens({ budget, extraTokens }: Headroom, shownTokens: number): number {
  return budget.fixed.total + shownTokens + extraTokens;
}

/** Where fixed costs stand near `low`, or above it, no branch brings the request below: this share of what they leave stays with the branch. */
const LEAST_SHARE = 1 / 4;

/** Shown tokens with which the request is below `low`, or as near to it as it makes sense: every rung's goal. */
export function goalTokens(headroom: Headroom): number {
  const { budget, extraTokens } = headroom;
  return Math.max(budget.marks.low - 1 - budget.fixed.total - extraTokens, Math.floor(ceilingTokens(headroom) * LEAST_SHARE));
}

/** Shown tokens with which the request just fits. */
export function ceilingTokens({ budget, extraTokens }: Headroom): number {
  return Math.max(0, budget.effective - budget.fixed.total - extraTokens);
}

export function isHard(mark: Mark): boolean {
  return mark === 'hard' || mark === 'over';
}
