import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dotted, type Path } from './dotted-path.ts';
import { readJson } from './read-json.ts';

it('places values, or the nearest thing above them', () => {
  const { value, fault, faultAt } = readJson('\ufeff[\n  { "a": [1, true], "b c": null }\n]', 'f.json');
  expect([value, fault]).toEqual([[{ a: [1, true], 'b c': null }], null]);
  const place = (...path: Path): string => {
    const { at, path: text } = faultAt(path, 'x');
    return `${String(at?.file)}:${String(at?.line)}:${String(at?.column)} ${text}`;
  };
  expect(place(0, 'a', 1)).toBe('f.json:2:14 [0].a[1]');
  expect(place(0, 'b c')).toBe('f.json:2:28 [0]["b c"]');
  expect(place(0, 'none', 3)).toBe('f.json:2:3 [0].none[3]');
  expect(place(7)).toBe('f.json:1:1 [7]');
});

it('is JSON.parse, with a place for what it refuses, and places for whatever it takes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.json().map((text) => text.slice(0, -1)),
      ),
      (text) => {
        const read = readJson(text, 'f');
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        expect(read.value).toEqual(parsed);
        expect(read.fault === null).toBe(parsed !== undefined);
        if (read.fault !== null) expect(read.fault.at).toMatchObject({ file: 'f' });
        for (const path of pathsIn(parsed)) expect(read.faultAt(path, 'x')).toMatchObject({ path: dotted(path), at: { file: 'f' } });
      },
    ),
    { seed: 3, numRuns: 300 },
  );
});

function pathsIn(value: unknown): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...inner.flatMap(([step, item]) => pathsIn(item).map((path) => [step, ...path]))];
}
