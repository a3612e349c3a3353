import { expect, it } from 'vitest';
import { columnsOf } from './columns.ts';

it('cuts nothing where there is no terminal', () => {
  expect([columnsOf({}, undefined), columnsOf({ isTTY: false, columns: 60 }, '60'), columnsOf({ columns: 60 }, '60')]).toEqual([
    null,
    null,
    null,
  ]);
});

it.each([
  [120, undefined, 120],
  [120, '60', 60],
  [120, 'wide', 120],
  [120, '', 120],
  [undefined, undefined, 80],
  [0, undefined, 80],
  [0, '0', 80],
  [120, '0', 80],
  [0, '200', 200],
  [5, undefined, 20],
])('a terminal of %j columns, with COLUMNS %j: %j', (columns, asked, found) => {
  expect(columnsOf({ isTTY: true, ...(columns === undefined ? {} : { columns }) }, asked)).toBe(found);
});
