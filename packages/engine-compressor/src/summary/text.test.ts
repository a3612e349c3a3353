import { expect, it } from 'vitest';
import { opening } from './text.ts';

it.each([
  ['- first\n- second', 'first - second'],
  ['  * - both', 'both'],
  ['--flag stays', '--flag stays'],
  ['-1 stays', '-1 stays'],
  ['- ', '-'],
])('%j opens with %j: a summary writes the mark of its list itself', (text, line) => {
  expect(opening(text, 200)).toBe(line);
});
