import { describe, expect, it } from 'vitest';
import { ratioPolicy } from './ratio-policy.ts';
import type { RatioSettings } from './ratio-policy.ts';

const defaults: RatioSettings = { threshold: 0.5, modelThresholds: {}, smallContextFloor: true, thresholdTokens: null };
const trigger = (windowTokens: number, outputTokens: number | null, over: Partial<RatioSettings> = {}, model = 'acme/large'): number =>
  ratioPolicy({ ...defaults, ...over })({ windowTokens, outputTokens, model }).startTokens;

describe('the worked table', () => {
  it.each([
    [32_000, 0.5, null, 27_200],
    [64_000, 0.5, null, 54_400],
    [65_536, 0.5, null, 64_000],
    [80_000, 0.5, null, 64_000],
    [100_000, 0.5, 32_768, 64_000],
    [128_000, 0.5, null, 96_000],
    [200_000, 0.5, null, 150_000],
    [200_000, 0.8, null, 160_000],
    [200_000, 0.5, 65_536, 100_848],
    [272_000, 0.85, null, 231_200],
    [400_000, 0.5, null, 300_000],
    [511_999, 0.5, null, 383_999],
    [512_000, 0.5, null, 256_000],
    [1_000_000, 0.5, null, 500_000],
    [1_000_000, 0.05, null, 64_000],
  ])('window %i, threshold %f, output %s starts at %i', (windowTokens, threshold, outputTokens, expected) => {
    expect(trigger(windowTokens, outputTokens, { threshold })).toBe(expected);
  });

  it('starts a 200,000 window at 100,000 without the small-context floor', () => {
    expect(trigger(200_000, null, { smallContextFloor: false })).toBe(100_000);
  });
});

describe('the base', () => {
  it('ignores an output limit that leaves nothing', () => {
    expect(trigger(128_000, 128_000)).toBe(96_000);
    expect(trigger(128_000, 500_000)).toBe(96_000);
  });

  it('looks at the window, not at what is left of it, to call it small', () => {
    expect(trigger(600_000, 200_000)).toBe(200_000);
  });

  it('counts only a positive output limit', () => {
    expect(trigger(128_000, 0)).toBe(96_000);
    expect(trigger(128_000, -5)).toBe(96_000);
  });

  it('gives 0 or 1 for a window that is nothing, and throws never', () => {
    expect(trigger(0, null)).toBeLessThanOrEqual(1);
    expect(trigger(1, null)).toBeLessThanOrEqual(1);
    expect(trigger(-10, null)).toBeLessThanOrEqual(1);
  });
});

describe('the absolute cap', () => {
  it('only lowers', () => {
    expect(trigger(1_000_000, null, { thresholdTokens: 256_000 })).toBe(256_000);
    expect(trigger(200_000, null, { thresholdTokens: 256_000 })).toBe(150_000);
  });

  it('beats the minimum of 64,000', () => {
    expect(trigger(128_000, null, { thresholdTokens: 10_000 })).toBe(10_000);
  });

  it('is not there when it is not positive', () => {
    expect(trigger(200_000, null, { thresholdTokens: 0 })).toBe(150_000);
  });
});

describe('per-model thresholds', () => {
  const map = { large: 0.8, 'acme/large': 0.9, 'other:large': 0.78 };

  it('uses the longest key that matches', () => {
    expect(trigger(200_000, null, { modelThresholds: map })).toBe(180_000);
  });

  it('is raised by the small-context floor as well', () => {
    expect(trigger(200_000, null, { modelThresholds: { large: 0.3 } })).toBe(150_000);
    expect(trigger(1_000_000, null, { modelThresholds: { large: 0.3 } })).toBe(300_000);
  });

  it('falls back to the threshold when no key matches', () => {
    expect(trigger(1_000_000, null, { modelThresholds: { small: 0.9 } })).toBe(500_000);
  });
});

describe('its notes', () => {
  const notes = (windowTokens: number, over: Partial<RatioSettings> = {}): string =>
    ratioPolicy({ ...defaults, ...over })({ windowTokens, outputTokens: null, model: 'acme/large' })
      .notes.map((note) => `${note.what}: ${note.why}`)
      .join('\n');

  it('say that an override was raised, and why', () => {
    const text = notes(200_000, { modelThresholds: { large: 0.3 } });
    expect(text).toContain('0.3 from model_thresholds["large"]');
    expect(text).toContain('raised from 0.3 to 0.75: the window of 200,000 is below 512,000');
  });

  it('say that a figure was raised to the minimum, out of reach, or capped', () => {
    expect(notes(65_536)).toContain('raised from 49,152');
    expect(notes(32_000)).toContain('64,000 would be out of reach in 32,000');
    expect(notes(1_000_000, { thresholdTokens: 256_000 })).toContain('lowered from 500,000 to threshold_tokens 256,000');
  });

  it('are none when the settings say it all', () => {
    expect(notes(1_000_000)).toBe('');
  });
});
