import { expect, it } from 'vitest';
import { lintDifferences } from './lint-self-test.ts';

it('the lint finds every planted fault, on its line and by its rule', async () => {
  expect(await lintDifferences()).toEqual([]);
});
