import { BUDGET_SETTINGS, BUDGETING, TOKEN_COUNTER } from '@palimpsest/contracts';
import { bind, defineModule } from '@palimpsest/wiring';
import { ExactCounter } from './exact-counter.ts';
import { RatioBudgeting } from './ratio-budgeting.ts';

export const budgetModule = defineModule('budget', [
  bind(TOKEN_COUNTER)
    .toFactory([], () => new ExactCounter())
    .closing((counter) => counter.close()),
  bind(BUDGETING).toFactory([BUDGET_SETTINGS], (settings) => new RatioBudgeting(settings)),
]);
