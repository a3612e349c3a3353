import { describe, expect, it } from 'vitest';
import { admit, afterCompaction, afterFailure, RESTED, type Ended } from './guards.ts';

const T = 1_000_000;
const ended = (requestTokens: number, floorTokens = 0): Ended => ({ requestTokens, startTokens: 100, floorTokens });
const failed = (times: number): typeof RESTED =>
  Array.from({ length: times }).reduce<typeof RESTED>((state) => afterFailure(state, T), RESTED);

describe('cooldown', () => {
  it.each([
    [1, 60_000],
    [2, 300_000],
    [3, 900_000],
    [7, 900_000],
  ])('after %i failures in a row: %i ms', (times, ms) => {
    expect(admit(failed(times), 'threshold', T + ms - 1)).toMatchObject({ admitted: false, guard: 'cooldown', untilMs: T + ms });
    expect(admit(failed(times), 'threshold', T + ms)).toMatchObject({ admitted: true });
  });

  it.each(['manual', 'overflow'] as const)('%s passes once, not twice', (trigger) => {
    const first = admit(failed(1), trigger, T + 1);
    expect(first.admitted).toBe(true);
    expect(admit(first.state, trigger, T + 2)).toMatchObject({ admitted: false, guard: 'cooldown' });
    expect(admit(afterFailure(first.state, T + 2), trigger, T + 3)).toMatchObject({ admitted: false, guard: 'cooldown' });
  });

  it('may be passed again once it has ended by itself, and ends with a success', () => {
    const passed = admit(failed(1), 'manual', T + 1).state;
    const later = admit(passed, 'threshold', T + 60_000).state;
    expect(admit(afterFailure(later, T + 60_001), 'manual', T + 60_002).admitted).toBe(true);
    expect(admit(afterCompaction(passed, ended(10), T + 2), 'threshold', T + 3).admitted).toBe(true);
  });
});

describe('breaker', () => {
  const weak = (times: number): typeof RESTED =>
    Array.from({ length: times }).reduce<typeof RESTED>((state) => afterCompaction(state, ended(81), T), RESTED);

  it('opens after two compactions in a row that end above 0.8 of start', () => {
    expect(admit(weak(1), 'threshold', T).admitted).toBe(true);
    expect(admit(weak(2), 'threshold', T + 299_999)).toMatchObject({ admitted: false, guard: 'breaker', untilMs: T + 300_000 });
    expect(admit(weak(2), 'manual', T + 1)).toMatchObject({ admitted: false, guard: 'breaker' });
  });

  it('a good one in between starts the count again; at 0.8 exactly is good', () => {
    expect(admit(afterCompaction(afterCompaction(weak(1), ended(80), T), ended(81), T), 'threshold', T).admitted).toBe(true);
  });

  it('does not count one that could not have ended lower: neither for nor against', () => {
    expect(admit(afterCompaction(weak(1), ended(95, 81), T), 'threshold', T).admitted).toBe(true);
    expect(admit(afterCompaction(afterCompaction(weak(1), ended(95, 81), T), ended(81), T), 'threshold', T).admitted).toBe(false);
    expect(admit(afterCompaction(weak(1), ended(95, 80), T), 'threshold', T).admitted).toBe(false);
  });

  it('lets one probe through; a weak probe opens it again, a good one closes it', () => {
    const probe = admit(weak(2), 'threshold', T + 300_000);
    expect(probe.admitted).toBe(true);
    expect(admit(afterCompaction(probe.state, ended(90), T + 300_001), 'threshold', T + 300_002)).toMatchObject({
      guard: 'breaker',
      untilMs: T + 600_001,
    });
    expect(admit(afterCompaction(probe.state, ended(50), T + 300_001), 'threshold', T + 300_002).admitted).toBe(true);
  });
});
