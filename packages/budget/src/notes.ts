/** Why a figure of the budget is what it is, for printing. `what` names the figure, `why` is one sentence. */
export interface BudgetNote {
  readonly what: string;
  readonly why: string;
}

/** Thousands separated by commas, whatever the machine's locale is. */
export function figure(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}
