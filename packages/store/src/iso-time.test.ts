import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

it('is what Date says of any moment, one after the other', () => {
  const near = fc.tuple(
    fc.integer({ min: -62_000_000_000_000, max: 250_000_000_000_000 }),
    fc.array(fc.integer({ min: -70_000, max: 70_000 }), { maxLength: 5 }),
  );
  fc.assert(
    fc.property(near, ([at, steps]) => {
      for (const ms of [at, ...steps.map((step) => at + step)]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }),
    { seed: 5, numRuns: 500 },
  );
});
