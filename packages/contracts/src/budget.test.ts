import { expect, it } from 'vitest';
import { markAt } from './budget.ts';

it('reaches marks inclusively, and goes over above the effective budget only', () => {
  const budget = { effective: 100, marks: { low: 40, prepare: 50, start: 60, hard: 80 } };
  const marks = [0, 49, 50, 59, 60, 79, 80, 100, 101].map((tokens) => markAt(tokens, budget));
  expect(marks).toEqual(['under', 'under', 'prepare', 'prepare', 'start', 'start', 'hard', 'hard', 'over']);
});
