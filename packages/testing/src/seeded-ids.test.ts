import { expect, it } from 'vitest';
import { SeededIds } from './seeded-ids.ts';

it('gives the same ids and numbers for the same seed, others for another', () => {
  const draw = (seed: number): unknown[] => {
    const ids = new SeededIds(seed);
    return [ids.entry(), ids.entry(), ids.session(), ids.owner(), ...Array.from({ length: 20 }, () => ids.random())];
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1).slice(0, 4)).toEqual(['e000001', 'e000002', 's0001', 'o0001']);
  expect(draw(1).slice(4)).not.toEqual(draw(2).slice(4));
});

it('draws evenly from [0, 1)', () => {
  const ids = new SeededIds(7);
  const drawn = Array.from({ length: 4000 }, () => ids.random());
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  expect(drawn.reduce((sum, one) => sum + one, 0) / drawn.length).toBeCloseTo(0.5, 1);
});
