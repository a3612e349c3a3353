import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dotted, pathOf } from './dotted-path.ts';

it('quotes only what needs it', () => {
  expect(dotted(['compression', 'model_thresholds', 'gpt-4.1'])).toBe('compression.model_thresholds["gpt-4.1"]');
  expect(dotted(['models', 'a', 'script', 0, 'text'])).toBe('models.a.script[0].text');
  expect(dotted([])).toBe('');
});

it('reads back every path', () => {
  const step = fc.oneof(fc.string(), fc.nat({ max: 99 }), fc.constantFrom('a.b', '"', '[0]', '\\', 'ключ', ''));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), (path) => {
      expect(pathOf(dotted(path))).toEqual(path);
    }),
    { seed: 13, numRuns: 400 },
  );
});

it.each(['[', 'a]', 'a["b', '["\\x"]', 'a..'])('%s is no path', (text) => {
  expect(pathOf(text)).toBeNull();
});
