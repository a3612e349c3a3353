import { describe, expect, it } from 'vitest';
import { limitOf, seedOf, shareOf, stepOf, tokensOf } from './numbers.ts';

const NONE = ['', ' ', 'abc', 'NaN', 'Infinity', '-5', '1.5', '1e99', '1e3', '0x10', '٣', ' 7', '7 ', '_7', '99999999999999'];

describe.each([
  ['--window', (text: string) => tokensOf('--window', text)],
  ['--limit', limitOf],
  ['--seed', seedOf],
] as const)('%s', (option, read) => {
  it.each(NONE)('refuses %j, with an example', (text) => {
    let thrown: unknown;
    try {
      read(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'USAGE_INVALID', kind: 'config', hint: expect.stringContaining(`${option} `) as string });
  });
});

it('reads whole numbers', () => {
  expect([tokensOf('--window', '32000'), tokensOf('--reserve', '1_000'), limitOf('1'), seedOf('0'), seedOf('2147483647')]).toEqual([
    32_000,
    1_000,
    1,
    0,
    2 ** 31 - 1,
  ]);
  expect(() => seedOf('2147483648')).toThrow('not a seed');
  expect(() => limitOf('0')).toThrow('not a whole number');
});

it('reads shares, and nothing that only looks like one', () => {
  expect([shareOf('--threshold', '0.6'), shareOf('--threshold', '.5'), shareOf('--threshold', '1')]).toEqual([0.6, 0.5, 1]);
  for (const text of ['', ' ', 'abc', 'NaN', 'Infinity', '0', '-0.5', '1.5', '1e-3', '1e99', '0x1', ' 0.5'])
    expect(() => shareOf('--threshold', text)).toThrow('not a share');
});

it('takes a step by number or an entry by id', () => {
  expect([stepOf('3'), stepOf('e-1abc')]).toEqual([3, 'e-1abc']);
  for (const text of ['', '0', '-1', '1.5', '1e99', 'Infinity']) expect(() => stepOf(text)).toThrow('not a step');
});
