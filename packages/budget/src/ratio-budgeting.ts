import type { Budget, BudgetAsk, Budgeting, BudgetSettings, Judgement, MarkOverrides } from '@palimpsest/contracts';
import { effectiveBudget } from './effective.ts';
import { hygieneMarks, judgeParts } from './judgement.ts';
import { fitMarks } from './marks.ts';
import { figure } from './notes.ts';
import type { BudgetNote } from './notes.ts';
import { ratioPolicy } from './ratio-policy.ts';
import type { ThresholdPolicy } from './threshold-policy.ts';

function markNotes(engineMarks: MarkOverrides): readonly BudgetNote[] {
  return Object.entries(engineMarks).map(([what, tokens]) => ({ what, why: `${figure(tokens)} by the engine's manifest` }));
}

/** Budgets whose start mark comes from the ratio policy. Pure: it holds settings only. */
export class RatioBudgeting implements Budgeting {
  readonly #policy: ThresholdPolicy;
  readonly #marks: BudgetSettings['marks'];

  constructor(settings: BudgetSettings) {
    this.#policy = ratioPolicy(settings);
    this.#marks = settings.marks;
  }

  effective(ask: BudgetAsk): Budget {
    return this.#compute(ask).budget;
  }

  /** What was taken from where, and every figure that is not what the settings say. For printing; same input, same answer. */
  explain(ask: BudgetAsk): readonly BudgetNote[] {
    return this.#compute(ask).notes;
  }

  judge(parts: Readonly<Record<string, number>>, budget: Budget, metric: Judgement['metric']): Judgement {
    return judgeParts(parts, budget, metric);
  }

  /** Fixed costs are added as a part of their own: the marks are those of a whole request. */
  gauge(branchTokens: number, incomingTokens: number, budget: Budget): Judgement {
    return judgeParts({ fixed: budget.fixed.total, branch: branchTokens, incoming: incomingTokens }, hygieneMarks(budget), 'estimate');
  }

  #compute(ask: BudgetAsk): { readonly budget: Budget; readonly notes: readonly BudgetNote[] } {
    const { window, maxOutputTokens } = ask.limits;
    const { reserve, inputCap, effective, notes } = effectiveBudget(ask);
    const policy = this.#policy({ windowTokens: window.tokens, outputTokens: maxOutputTokens, model: ask.model });
    const engineMarks = ask.engineMarks ?? {};
    const fitted = fitMarks({ startTokens: policy.startTokens, effectiveTokens: effective, overrides: this.#marks, engineMarks });
    const available = Math.max(0, effective - ask.fixed.total);
    const budget = { window, reserve, inputCap, effective, fixed: ask.fixed, available, marks: fitted.marks };
    return { budget, notes: [...notes, ...policy.notes, ...markNotes(engineMarks), ...fitted.notes] };
  }
}
