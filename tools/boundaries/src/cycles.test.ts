import { expect, it } from 'vitest';
import { knotsOf } from './rules/cycles.ts';

it('finds every knot once, and files that import themselves', () => {
  const edges = new Map([
    ['a', ['b', 'x']],
    ['b', ['c']],
    ['c', ['a']],
    ['d', ['d']],
    ['e', ['a', 'f']],
    ['f', ['e', 'missing']],
    ['x', []],
  ]);
  expect(knotsOf(edges)).toEqual([['a', 'b', 'c'], ['d'], ['e', 'f']]);
});

it('finds none where imports only point down', () => {
  expect(
    knotsOf(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
        ['c', []],
      ]),
    ),
  ).toEqual([]);
});
