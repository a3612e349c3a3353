import { expect, it } from 'vitest';
import { toFinish, toUsage } from './normal.ts';

const none = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const silent = { total: undefined, text: undefined, reasoning: undefined };

it.each([
  ['what was not cached', { total: 130, noCache: 20, cacheRead: 100, cacheWrite: 10 }, 20],
  ['the total without what was cached', { ...none, total: 130, cacheRead: 100, cacheWrite: 10 }, 20],
  ['the total', { ...none, total: 130 }, 130],
  ['nothing, where more is cached than there is', { ...none, total: 50, cacheRead: 100 }, 0],
  ['nothing, where nothing is stated', none, 0],
])('input is %s', (_, inputTokens, input) => {
  expect(toUsage({ inputTokens, outputTokens: silent }).input).toBe(input);
});

it('output includes reasoning, stated whole or in parts; figures are whole numbers', () => {
  expect(toUsage({ inputTokens: none, outputTokens: { total: 30, text: 20, reasoning: 10 } })).toMatchObject({ output: 30, reasoning: 10 });
  expect(toUsage({ inputTokens: none, outputTokens: { total: undefined, text: 20, reasoning: 10 } })).toMatchObject({
    output: 30,
    reasoning: 10,
  });
  expect(toUsage({ inputTokens: { ...none, noCache: 1.6 }, outputTokens: { ...silent, total: Number.NaN } })).toMatchObject({
    input: 2,
    output: 0,
  });
});

it.each([
  ['stop', 0, 'stop'],
  ['stop', 1, 'tool-calls'],
  ['tool-calls', 0, 'stop'],
  ['length', 1, 'length'],
  ['content-filter', 0, 'refused'],
  ['other', 0, 'other'],
  ['other', 1, 'tool-calls'],
] as const)('%s with %i calls finishes as %s', (unified, calls, finish) => {
  expect(toFinish(unified, calls)).toBe(finish);
});
