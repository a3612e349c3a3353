import { describe, expect, it } from 'vitest';
import { budgetOf } from '../test/requests.ts';
import { maxSummaryTokens, movedOptions, summaryTarget, tailFloor, tailLimits } from './limits.ts';
import { compressorOptions } from './options.ts';

const options = compressorOptions.parse({});

describe('tail limits', () => {
  it.each([
    [32_000, 27_200, 5_440, 8_160],
    [64_000, 54_400, 10_880, 16_320],
    [65_536, 64_000, 12_800, 19_200],
    [128_000, 96_000, 19_200, 28_800],
    [200_000, 150_000, 30_000, 45_000],
    [200_000, 100_848, 20_169, 30_253],
    [272_000, 231_200, 46_240, 69_360],
    [511_999, 383_999, 76_799, 115_198],
    [1_000_000, 500_000, 100_000, 150_000],
  ])('window %i, start %i: %i, at most %i', (window, start, budgetTokens, ceilingTokens) => {
    expect(tailLimits(budgetOf(window, start), options, null)).toEqual({ budgetTokens, ceilingTokens });
  });

  it('is at most 20 % of the window, unless an operator says how much to keep', () => {
    const greedy = compressorOptions.parse({ target_ratio: 0.8 });
    expect(tailLimits(budgetOf(100_000, 90_000), greedy, null)).toEqual({ budgetTokens: 20_000, ceilingTokens: 30_000 });
    expect(tailLimits(budgetOf(100_000, 90_000), greedy, 50_000)).toEqual({ budgetTokens: 50_000, ceilingTokens: 75_000 });
    expect(tailLimits(budgetOf(100_000, 90_000), options, 0)).toEqual({ budgetTokens: 0, ceilingTokens: 0 });
  });
});

describe('what is not used as it was asked for', () => {
  const moved = (asked: object, windowTokens: number, startTokens: number, keepRecent: number | null = null): readonly string[] =>
    movedOptions(budgetOf(windowTokens, startTokens), compressorOptions.parse(asked), keepRecent);

  it('is nothing with the defaults, whatever the window', () => {
    for (const windowTokens of [8_000, 32_000, 200_000, 1_000_000]) expect(moved({}, windowTokens, windowTokens * 0.7)).toEqual([]);
  });

  it('is told with the figure that is used', () => {
    expect(moved({ target_ratio: 0.01 }, 100_000, 90_000)).toEqual(['target_ratio 0.01: 0.1 is used (0.1 to 0.8)']);
    expect(moved({ target_ratio: 3 }, 100_000, 20_000)).toEqual(['target_ratio 3: 0.8 is used (0.1 to 0.8)']);
    expect(moved({ target_ratio: 0.5 }, 100_000, 90_000)).toEqual([
      'target_ratio 0.5 asks for a tail of 45000 tokens: 20000 are used (20 % of the window)',
    ]);
    expect(moved({ target_ratio: 0.5 }, 100_000, 90_000, 1_000)).toEqual([]);
    expect(moved({ max_summary_tokens: 9_000 }, 100_000, 90_000)).toEqual(['max_summary_tokens 9000: 5000 are used (5 % of the window)']);
    expect(moved({ max_summary_tokens: 5_000 }, 100_000, 90_000)).toEqual([]);
  });

  it('is what the limits then are', () => {
    const clamped = (ratio: number): object =>
      tailLimits(budgetOf(100_000, 20_000), compressorOptions.parse({ target_ratio: ratio }), null);
    expect(clamped(0.01)).toEqual(clamped(0.1));
    expect(clamped(3)).toEqual(clamped(0.8));
  });
});

describe('the floor in messages', () => {
  it.each([
    [20, 40, 8],
    [20, 10, 7],
    [20, 5, 3],
    [20, 4, 3],
    [20, 3, 2],
    [20, 2, 0],
    [20, 0, 0],
    [2, 40, 3],
    [5, 40, 5],
  ])('protect_last_n %i, %i messages behind the head: %i', (protectLastN, afterHead, floor) => {
    expect(tailFloor(protectLastN, afterHead)).toBe(floor);
  });
});

describe('summary tokens', () => {
  it.each([
    [32_000, 1_600],
    [65_536, 3_276],
    [100_000, 5_000],
    [200_000, 10_000],
    [1_000_000, 10_000],
  ])('window %i: at most %i', (window, most) => {
    expect(maxSummaryTokens(budgetOf(window), options)).toBe(most);
  });

  it('aims at a fifth of the middle; the minimum wins over a smaller maximum', () => {
    expect(summaryTarget(30_000, 10_000)).toBe(6_000);
    expect(summaryTarget(90_000, 10_000)).toBe(10_000);
    expect(summaryTarget(3_000, 10_000)).toBe(2_000);
    expect(summaryTarget(90_000, 1_600)).toBe(2_000);
  });

  it('follows max_summary_tokens', () => {
    expect(maxSummaryTokens(budgetOf(200_000), compressorOptions.parse({ max_summary_tokens: 4_000 }))).toBe(4_000);
  });
});
