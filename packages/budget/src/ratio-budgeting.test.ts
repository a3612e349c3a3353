import { budget as budgetSchema } from '@palimpsest/contracts';
import type { Budget, BudgetAsk, BudgetSettings } from '@palimpsest/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RatioBudgeting } from './ratio-budgeting.ts';

const defaults: BudgetSettings = { threshold: 0.5, modelThresholds: {}, smallContextFloor: true, thresholdTokens: null, marks: {} };
const fixed = { system: 1000, tools: 2000, hooks: 0, envelope: 100, total: 3100 };

interface Wish {
  readonly window?: number;
  readonly output?: number | null;
  readonly cap?: number | null;
  readonly refused?: BudgetAsk['refused'];
}
const ask = ({ window = 200_000, output = null, cap = null, refused = null }: Wish = {}): BudgetAsk => ({
  limits: {
    window: { tokens: window, origin: 'catalog' },
    maxOutputTokens: output,
    inputCap: cap === null ? null : { tokens: cap, origin: 'catalog' },
  },
  model: 'acme/large',
  fixed,
  refused,
});
const budgeting = (settings: Partial<BudgetSettings> = {}): RatioBudgeting => new RatioBudgeting({ ...defaults, ...settings });
const effective = (wish: Wish, settings: Partial<BudgetSettings> = {}): Budget => budgeting(settings).effective(ask(wish));

describe('the effective budget', () => {
  it('keeps a quarter of a small window for the answer', () => {
    const { reserve, effective: tokens, available, marks } = effective({ window: 32_000 });
    expect(reserve).toEqual({ tokens: 8000, origin: 'client-default' });
    expect(tokens).toBe(24_000);
    expect(available).toBe(20_900);
    expect(marks).toEqual({ low: 15_200, prepare: 17_100, start: 22_800, hard: 23_400 });
  });

  it('keeps 20,000 of a large window', () => {
    expect(effective({})).toMatchObject({ reserve: { tokens: 20_000, origin: 'client-default' }, effective: 180_000 });
  });

  it('keeps what is sent as output limit', () => {
    expect(effective({ output: 65_536 })).toMatchObject({ reserve: { tokens: 65_536, origin: 'config' }, effective: 134_464 });
  });

  it('is held down by an input cap below it, and only then', () => {
    expect(effective({ cap: 100_000 })).toMatchObject({ effective: 100_000, inputCap: { tokens: 100_000, origin: 'catalog' } });
    expect(effective({ cap: 190_000 }).effective).toBe(180_000);
  });

  it('is 0, never an error, where nothing fits', () => {
    expect(effective({ window: 8000, output: 8000 })).toMatchObject({ effective: 0, available: 0 });
    expect(effective({ window: 0 })).toMatchObject({ effective: 0, available: 0 });
    expect(effective({ window: 4000 })).toMatchObject({ effective: 3000, available: 0 });
  });
});

describe('after a refusal', () => {
  const refused = (tokens: number, statedLimit: number | null, wish: Wish = {}): Budget =>
    effective({ ...wish, refused: { tokens, statedLimit } });

  it('the stated limit minus the reserve is all there is', () => {
    expect(refused(150_000, 128_000)).toMatchObject({ effective: 108_000, inputCap: { tokens: 108_000, origin: 'learned' } });
    expect(refused(150_000, 128_000, { output: 8000 }).effective).toBe(120_000);
  });

  it('nine tenths of what was refused, when no limit was stated', () => {
    expect(refused(150_000, null)).toMatchObject({ effective: 135_000, inputCap: { tokens: 135_000, origin: 'learned' } });
  });

  it('a stated limit above what was refused does not help, so less is sent', () => {
    expect(refused(150_000, 190_000).effective).toBe(135_000);
  });

  it('a stated limit far below the window we believed in gets a reserve of its own', () => {
    expect(refused(150_000, 16_000).effective).toBe(12_000);
  });

  it('a tighter cap of the route stays', () => {
    expect(refused(150_000, null, { cap: 90_000 })).toMatchObject({ effective: 90_000, inputCap: { tokens: 90_000, origin: 'catalog' } });
  });

  it('always allows less than what was refused', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 400_000 }), { nil: null });
    const property = fc.property(fc.integer({ min: 1, max: 400_000 }), limit, (tokens, stated) => {
      expect(refused(tokens, stated, { window: 500_000 }).effective).toBeLessThan(tokens);
    });
    fc.assert(property, { seed: 7, numRuns: 500 });
  });
});

const tokens = (max: number): fc.Arbitrary<number> => fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max }));
const anyMarks = fc.record(
  { low: tokens(2_000_000), prepare: tokens(2_000_000), start: tokens(2_000_000), hard: tokens(2_000_000) },
  { requiredKeys: [] },
);
const anySettings = fc.record({
  threshold: fc.double({ min: 0, max: 1, noNaN: true }),
  modelThresholds: fc.constantFrom({}, { large: 0.9 }, { 'acme:large': 0.2 }),
  smallContextFloor: fc.boolean(),
  thresholdTokens: fc.option(tokens(2_000_000), { nil: null }),
  marks: fc.oneof(fc.constant({}), anyMarks),
});
const anyWish = fc.record({
  window: tokens(2_000_000),
  output: fc.option(tokens(300_000), { nil: null }),
  cap: fc.option(tokens(2_000_000), { nil: null }),
  refused: fc.option(fc.record({ tokens: tokens(2_000_000), statedLimit: fc.option(tokens(2_000_000), { nil: null }) }), { nil: null }),
});

describe('marks of an engine', () => {
  const marked = (engineMarks: BudgetAsk['engineMarks'] & object, marks: BudgetSettings['marks'] = {}): Budget['marks'] =>
    budgeting({ marks }).effective({ ...ask(), engineMarks }).marks;

  it('beat the policy, and are beaten by the operator', () => {
    expect(marked({ start: 60_000 })).toEqual({ low: 40_000, prepare: 45_000, start: 60_000, hard: 165_600 });
    expect(marked({ start: 60_000, low: 10_000 }, { start: 80_000 })).toMatchObject({ low: 10_000, start: 80_000 });
    expect(marked({})).toEqual(effective({}).marks);
  });

  it('start no later than a policy may, and say where they come from', () => {
    expect(marked({ start: 179_000 }).start).toBe(171_000);
    expect(effective({}, { marks: { start: 179_000 } }).marks.start).toBe(179_000);
    const notes = budgeting().explain({ ...ask(), engineMarks: { start: 60_000 } });
    expect(notes).toContainEqual({ what: 'start', why: "60,000 by the engine's manifest" });
  });
});

describe('marks', () => {
  it('are in order, and reachable, whatever is asked', () => {
    const property = fc.property(anySettings, anyWish, (settings, wish) => {
      const { marks, effective: top } = budgetSchema.parse(effective(wish, settings));
      expect(marks.hard).toBeLessThanOrEqual(top);
      if (top < 4) return;
      expect(marks.low).toBeLessThan(marks.prepare);
      expect(marks.prepare).toBeLessThan(marks.start);
      expect(marks.start).toBeLessThan(marks.hard);
      if (!('start' in settings.marks) && top >= 16) expect(marks.start).toBeLessThanOrEqual(0.95 * top);
    });
    fc.assert(property, { seed: 11, numRuns: 3000 });
  });

  it('take the policy figure as start where it fits', () => {
    expect(effective({}).marks).toEqual({ low: 100_000, prepare: 112_500, start: 150_000, hard: 165_600 });
    expect(effective({ output: 65_536 }).marks.start).toBe(100_848);
  });

  it('that are overridden in order are kept as they are', () => {
    const marks = { low: 10_000, prepare: 20_000, start: 30_000, hard: 40_000 };
    expect(effective({}, { marks }).marks).toEqual(marks);
  });

  it('that are not overridden make room for those that are', () => {
    expect(effective({}, { marks: { start: 60_000 } }).marks).toEqual({ low: 40_000, prepare: 45_000, start: 60_000, hard: 165_600 });
    expect(effective({}, { marks: { low: 140_000 } }).marks).toEqual({ low: 140_000, prepare: 140_001, start: 150_000, hard: 165_600 });
    expect(effective({}, { marks: { hard: 120_000 } }).marks).toEqual({ low: 79_999, prepare: 89_999, start: 119_999, hard: 120_000 });
  });

  it('out of order are lowered, with a note', () => {
    const settings = { marks: { start: 50_000, prepare: 60_000, hard: 900_000 } };
    expect(effective({}, settings).marks).toEqual({ low: 33_333, prepare: 49_999, start: 50_000, hard: 180_000 });
    const notes = budgeting(settings).explain(ask());
    expect(notes).toContainEqual({ what: 'prepare', why: 'lowered from 60,000 to 49,999: low < prepare < start < hard <= 180,000' });
    expect(notes).toContainEqual({ what: 'hard', why: 'lowered from 900,000 to 180,000: low < prepare < start < hard <= 180,000' });
  });
});

describe('a judgement', () => {
  const own = effective({});

  it.each([
    [112_499, 'under'],
    [112_500, 'prepare'],
    [149_999, 'prepare'],
    [150_000, 'start'],
    [165_599, 'start'],
    [165_600, 'hard'],
    [180_000, 'hard'],
    [180_001, 'over'],
  ])('of %i tokens is %s', (size, mark) => {
    expect(budgeting().judge({ system: 1000, branch: size - 1000 }, own, 'count')).toEqual({
      tokens: size,
      mark,
      metric: 'count',
      parts: { system: 1000, branch: size - 1000 },
    });
  });

  it('has parts that add up, whole and not negative', () => {
    const judged = budgeting().judge({ a: 0.2, b: 1.5, c: -4, d: Number.NaN }, own, 'estimate');
    expect(judged).toMatchObject({ tokens: 3, parts: { a: 1, b: 2, c: 0, d: 0 }, metric: 'estimate' });
  });
});

describe('a gauge', () => {
  it('starts at 85 % of the window where that is below the hard mark', () => {
    const own = effective({ output: 1000 });
    expect(own.marks.hard).toBeGreaterThan(170_000);
    expect(budgeting().gauge(160_000, 170_000 - 160_000 - fixed.total, own)).toEqual({
      tokens: 170_000,
      mark: 'start',
      metric: 'estimate',
      parts: { fixed: 3100, branch: 160_000, incoming: 6900 },
    });
    expect(budgeting().gauge(160_000, 169_999 - 160_000 - fixed.total, own).mark).toBe('prepare');
  });

  it('is hard at the hard mark where 85 % of the window is above it', () => {
    const own = effective({});
    expect(budgeting().gauge(165_599 - fixed.total, 0, own).mark).toBe('prepare');
    expect(budgeting().gauge(165_600 - fixed.total, 0, own).mark).toBe('hard');
    expect(budgeting().gauge(180_001 - fixed.total, 0, own).mark).toBe('over');
  });
});

describe('an explanation', () => {
  const what = (settings: Partial<BudgetSettings>, wish: Wish): string =>
    budgeting(settings)
      .explain(ask(wish))
      .map((note) => `${note.what}: ${note.why}`)
      .join('\n');

  it('names where every limit comes from', () => {
    const text = what({}, { cap: 100_000, refused: { tokens: 99_000, statedLimit: 90_000 } });
    expect(text).toContain('window: 200,000 (catalog)');
    expect(text).toContain('reserve: 20,000: no output limit is sent');
    expect(text).toContain('input cap: 100,000 (catalog)');
    expect(text).toContain('effective: at most 70,000: the provider refused 99,000, stated limit 90,000');
  });

  it('says when a start had to be lowered to be reachable', () => {
    expect(what({}, { window: 32_000 })).toContain('start: lowered from 27,200 to 22,800');
  });

  it('says when nothing fits', () => {
    expect(what({}, { window: 8000, output: 9000 })).toContain('nothing fits');
  });
});
