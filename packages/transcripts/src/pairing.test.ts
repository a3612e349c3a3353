import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { DUPLICATE, ORPHAN, Pairing } from './pairing.ts';

describe('pairing', () => {
  it('answers the nearest earlier call of the id', () => {
    const pairing = new Pairing();
    pairing.call('a', 0);
    pairing.call('a', 1);
    pairing.result('a', 2);
    pairing.result('a', 3);
    pairing.result('b', 4);
    expect(pairing.finish()).toEqual({ answers: [1, DUPLICATE, ORPHAN], answered: [false, true] });
  });

  it('lets a later part of a message claim a result that was recorded between its parts', () => {
    const pairing = new Pairing();
    pairing.result('a', 0);
    pairing.result('a', 2);
    pairing.call('a', 1);
    expect(pairing.finish()).toEqual({ answers: [ORPHAN, 0], answered: [true] });
  });

  it('gives each call at most one result and each result at most one call', () => {
    const event = fc.record({ call: fc.boolean(), id: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const pairing = new Pairing();
        const positions: number[] = [];
        for (const [at, { call, id }] of events.entries()) {
          if (call) pairing.call(id, at);
          else pairing.result(id, at);
          if (call) positions.push(at);
        }
        const { answers, answered } = pairing.finish();
        const used = answers.filter((one) => one >= 0);
        expect(new Set(used).size).toBe(used.length);
        expect(answered.filter(Boolean).length).toBe(used.length);
        expect(answers.length + answered.length).toBe(events.length);
      }),
      { seed: 7 },
    );
  });
});
