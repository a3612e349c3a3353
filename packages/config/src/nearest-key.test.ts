import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestKey } from './nearest-key.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['a', '', 1],
    ['', 'abc', 3],
    ['threshold', 'threshold', 0],
    ['treshold', 'threshold', 1],
    ['thershold', 'threshold', 1],
    ['threshhold', 'threshold', 1],
    ['kitten', 'sitting', 3],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('is symmetric, 0 for equal words alone, and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
      { seed: 11 },
    );
  });
});

describe('nearestKey', () => {
  const known = ['threshold', 'threshold_tokens', 'enabled', 'max_steps'];
  it.each([
    ['treshold', 'threshold'],
    ['thresholds', 'threshold'],
    ['threshold_token', 'threshold_tokens'],
    ['maxSteps', 'max_steps'],
    ['max-steps', 'max_steps'],
    ['ENABLED', 'enabled'],
    ['enable', 'enabled'],
  ])('%s is meant to be %s', (wanted, expected) => {
    expect(nearestKey(wanted, known)).toBe(expected);
  });

  it.each(['colour', 'x', '', 'a'.repeat(100_000)])('finds nothing near %.20s', (wanted) => {
    expect(nearestKey(wanted, known)).toBeNull();
  });

  it('finds any key that has one letter changed, added or removed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known), fc.nat(), fc.constantFrom('swap', 'add', 'remove'), (key, where, how) => {
        const at = where % key.length;
        const typo = key.slice(0, at) + (how === 'remove' ? '' : 'q') + key.slice(how === 'add' ? at : at + 1);
        expect(nearestKey(typo, known)).toBe(key);
      }),
      { seed: 12 },
    );
  });
});
