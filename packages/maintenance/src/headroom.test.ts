import { expect, it } from 'vitest';
import type { Judgement } from '@palimpsest/contracts';
import { budgetOf } from '../test/budgets.ts';
import { ceilingTokens, goalTokens, headroomOf, requestTokens } from './headroom.ts';

const budget = budgetOf(20_000, 1_000);
const judged = (tokens: number): Judgement => ({ tokens, mark: 'start', metric: 'count', parts: {} });

it('what is judged beyond fixed costs and branch is room that a rung cannot use', () => {
  const headroom = headroomOf(budget, judged(16_000), 13_000);
  expect([headroom.extraTokens, requestTokens(headroom, 13_000), goalTokens(headroom), ceilingTokens(headroom)]).toEqual([
    2_000,
    16_000,
    budget.marks.low - 1 - 3_000,
    17_000,
  ]);
});

it('a plan that shows less than the branch gives no room away', () => {
  expect(headroomOf(budget, judged(5_000), 13_000).extraTokens).toBe(0);
});

it('at most half of what is available is set aside', () => {
  expect(headroomOf(budget, judged(500_000), 0).extraTokens).toBe(9_500);
});

it('goals are never negative', () => {
  const full = headroomOf({ ...budget, fixed: { ...budget.fixed, total: 30_000 }, available: 0 }, judged(31_000), 1_000);
  expect([goalTokens(full), ceilingTokens(full)]).toEqual([0, 0]);
});

it('leaves a quarter of what fixed costs leave to the branch, where no branch brings the request below `low`', () => {
  const heavy = headroomOf(budgetOf(20_000, 14_000), judged(18_000), 4_000);
  expect([goalTokens(heavy), ceilingTokens(heavy)]).toEqual([1_500, 6_000]);
});
