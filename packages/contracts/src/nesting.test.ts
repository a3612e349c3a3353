import { expect, it } from 'vitest';
import { DEEPEST, isTooDeep, json } from './index.ts';

const nested = (levels: number): unknown =>
  JSON.parse(`${'{"a":['.repeat(Math.floor(levels / 2))}${levels % 2 === 0 ? '1' : '[1]'}${']}'.repeat(Math.floor(levels / 2))}`);

it.each([
  [DEEPEST, false],
  [DEEPEST + 1, true],
  [200_000, true],
])('%i levels: too deep is %s, and so says the schema, without falling over it', (levels, deep) => {
  expect(isTooDeep(nested(levels))).toBe(deep);
  expect(json.safeParse(nested(levels)).success).toBe(!deep);
});
