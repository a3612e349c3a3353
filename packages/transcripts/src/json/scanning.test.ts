import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ElementScanner } from './elements.ts';
import { prefixValue } from './prefix.ts';
import { sliceAt } from './slice.ts';

const SEED = { seed: 11 };
const document = (list: readonly unknown[], space: number): string => JSON.stringify({ 'a"b': 1, list, z: ['}', '"', '\\'] }, null, space);

function scan(text: string, chunkBytes: number): { path: readonly unknown[]; value: unknown }[] {
  const scanner = new ElementScanner({
    descend: (path) => path.length === 0 || (path.length === 1 && path[0] === 'list'),
    keepBytes: () => 1e6,
  });
  const bytes = Buffer.from(text);
  const found: { path: readonly unknown[]; value: unknown }[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    for (const one of scanner.push(bytes.subarray(at, at + chunkBytes)))
      if (one.bytes !== null) found.push({ path: one.path, value: JSON.parse(one.bytes.toString('utf8')) as unknown });
  }
  expect(scanner.done).toBe(true);
  return found;
}

describe('the element scanner', () => {
  it('hands out every value of the list and beside it, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1), fc.integer({ min: 1, max: 50 }), (list, space, chunkBytes) => {
        const clean = JSON.parse(JSON.stringify(list)) as unknown[];
        expect(scan(document(list, space), chunkBytes)).toEqual([
          { path: ['a"b'], value: 1 },
          ...clean.map((value, index) => ({ path: ['list', index], value })),
          { path: ['z'], value: ['}', '"', '\\'] },
        ]);
      }),
      SEED,
    );
  });

  it('keeps the begin of what is too long, and its length', () => {
    const scanner = new ElementScanner({ descend: (path) => path.length === 0, keepBytes: () => 3 });
    expect(
      scanner
        .push(Buffer.from('["abcdef",1]'))
        .slice(1)
        .map((one) => [String(one.bytes), one.length]),
    ).toEqual([
      ['"ab', 8],
      ['1', 1],
    ]);
  });

  it('knows an open document and what stands behind a closed one', () => {
    const open = new ElementScanner({ descend: () => false, keepBytes: () => 0 });
    open.push(Buffer.from('[1, "]'));
    expect(open.done).toBe(false);
    const closed = new ElementScanner({ descend: () => true, keepBytes: () => 0 });
    closed.push(Buffer.from('\ufeff [1] \n x'));
    expect([closed.done, closed.trailing]).toEqual([true, 10]);
  });
});

describe('the text of a value', () => {
  it('is cut out exactly', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.constantFrom(0, 2), (list, space) => {
        const text = document(list, space);
        for (const [index, value] of (JSON.parse(JSON.stringify(list)) as unknown[]).entries())
          expect(JSON.parse(sliceAt(text, ['list', index]) ?? '')).toEqual(value);
      }),
      SEED,
    );
  });

  it('keeps spaces, escapes and number forms; of a key written twice the last counts', () => {
    expect(sliceAt('{"m":1,"m": {"\\u0061":[0, { "x" : 1.0e0 }]}}', ['m', 'a', 1])).toBe('{ "x" : 1.0e0 }');
    expect(sliceAt('{"a":[1]}', ['a', 1])).toBeNull();
  });
});

describe('the begin of a document', () => {
  it('is a value at every cut', () => {
    const text = document([{ role: 'user', content: 'a{b' }, [1, 2]], 1);
    for (let end = 1; end <= text.length; end++) expect(prefixValue(text.slice(0, end))).toBeTypeOf('object');
    expect(prefixValue(text)).toEqual(JSON.parse(text));
    expect(prefixValue('random')).toBeUndefined();
  });
});
