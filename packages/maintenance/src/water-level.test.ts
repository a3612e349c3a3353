import fc from 'fast-check';
import { expect, it } from 'vitest';
import { waterLevel } from './water-level.ts';

it('the largest give first', () => {
  expect(waterLevel([100, 20, 80], 150, 10)).toBe(65);
  expect(waterLevel([100, 20, 20], 80, 10)).toBe(40);
  expect(waterLevel([100, 100], 0, 30)).toBe(30);
  expect(waterLevel([10, 20], 90, 5)).toBe(20);
});

it('cut to the level, sizes add up to what is allowed, and no higher level does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 0, max: 50_000 }),
      (sizes, allowed) => {
        const level = waterLevel(sizes, allowed, 0);
        const sum = (at: number): number => sizes.reduce((total, size) => total + Math.min(size, at), 0);
        expect(sum(level)).toBeLessThanOrEqual(allowed);
        if (level < Math.max(...sizes)) expect(sum(level + 1)).toBeGreaterThan(allowed);
      },
    ),
    { seed: 20_260_601, numRuns: 300 },
  );
});
