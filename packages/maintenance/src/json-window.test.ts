import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '@palimpsest/contracts';
import { jsonWindow, shrunkJson } from './json-window.ts';

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

it('cuts strings, ends lists, ends objects, and says so in place', () => {
  const value: Json = { short: 'a', long: 'x'.repeat(300), list: [1, 2, 3, 4, 5, 6], deep: { deeper: { deepest: 1 } } };
  expect(shrunkJson(value, { leaf: 60, members: 4, depth: 2 })).toEqual({
    short: 'a',
    long: expect.stringMatching(/^x{36} …\[240 characters left out\]… x{24}$/u) as string,
    list: [1, 2, 3, 4, '…[2 more left out]'],
    deep: { deeper: '…[13 characters left out]' },
  });
  expect(shrunkJson({ a: 1, b: 2, c: 3 }, { leaf: 60, members: 2, depth: 2 })).toEqual({ a: 1, b: 2, '…': '1 more left out' });
});

it('changes nothing that is within the limits', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text) as Json;
      expect(shrunkJson(value, { leaf: 10_000, members: 10_000, depth: 100 })).toEqual(value);
    }),
    { seed: 20_260_501, numRuns: 200 },
  );
});

it('fits a thousand short strings, one huge string and deep nesting, and stays an object with its small fields', () => {
  const nest = (depth: number): Json => (depth === 0 ? 'x'.repeat(400) : { name: 'n'.repeat(30), inner: nest(depth - 1) });
  for (const value of [
    { path: 'a', items: Array.from({ length: 1_000 }, (_, at) => `item number ${String(at)}`) },
    { path: 'a', content: 'y'.repeat(60_000) },
    { path: 'a', tree: nest(40) },
  ] satisfies Json[]) {
    const text = jsonWindow(value, 200, tokensOf);
    expect(tokensOf(text)).toBeLessThanOrEqual(200);
    expect(JSON.parse(text)).toMatchObject({ path: 'a' });
  }
});

it('fills its room with a single long string', () => {
  expect(tokensOf(jsonWindow({ content: 'y'.repeat(60_000) }, 1_000, tokensOf))).toBeGreaterThan(650);
});

it('is a note of the size where nothing else fits', () => {
  const value = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${'k'.repeat(60)}${String(at)}`, at]));
  expect(JSON.parse(jsonWindow(value, 5, tokensOf))).toEqual({
    '…': `${String(JSON.stringify(value).length)} characters of arguments left out; the session log has them`,
  });
});
