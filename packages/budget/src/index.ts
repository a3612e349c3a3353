export { countTokens } from './count-tokens.ts';
export type { Encoding } from './encodings.ts';
export { estimateTokens } from './estimate/estimate-tokens.ts';
export { budgetModule } from './module.ts';
export type { BudgetNote } from './notes.ts';
export { RatioBudgeting } from './ratio-budgeting.ts';
