import type { BudgetNote } from './notes.ts';

/** All that a threshold policy may look at. Tokens are the provider's. */
export interface PolicyAsk {
  readonly windowTokens: number;
  /** The output limit that is put on the wire; null: none is. */
  readonly outputTokens: number | null;
  /** `provider/model`, with or without `wire:` in front, or a bare model name. */
  readonly model: string;
}

/** The figure at which a policy starts maintenance, before it is fitted to an effective budget, and how it came about. */
export interface PolicyFigure {
  readonly startTokens: number;
  readonly notes: readonly BudgetNote[];
}

/** Pure: same ask, same figure. Never throws; a window that is not known gives 0. */
export type ThresholdPolicy = (ask: PolicyAsk) => PolicyFigure;
