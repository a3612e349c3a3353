import { describe, expect, it } from 'vitest';
import { modelThreshold } from './model-thresholds.ts';

const pick = (thresholds: Record<string, number>, model: string): string | null => modelThreshold(thresholds, model)?.key ?? null;

describe('a key', () => {
  it('is a substring of the model name, case and all', () => {
    expect(pick({ sonnet: 0.6 }, 'acme/sonnet-4')).toBe('sonnet');
    expect(pick({ Sonnet: 0.6 }, 'acme/sonnet-4')).toBeNull();
  });

  it('may be scoped to a provider, and then matches only there', () => {
    expect(pick({ 'acme:sonnet': 0.6 }, 'acme/sonnet-4')).toBe('acme:sonnet');
    expect(pick({ 'acme:sonnet': 0.6 }, 'anthropic:acme/sonnet-4')).toBe('acme:sonnet');
    expect(pick({ 'acme:sonnet': 0.6 }, 'other/sonnet-4')).toBeNull();
    expect(pick({ 'acme:sonnet': 0.6 }, 'sonnet-4')).toBeNull();
  });

  it('may hold a colon of the model name itself', () => {
    expect(pick({ 'llama3:8b': 0.6 }, 'llama3:8b')).toBe('llama3:8b');
    expect(pick({ 'llama3:8b': 0.6 }, 'local/llama3:8b')).toBe('llama3:8b');
  });

  it('with a value that is no number is passed over', () => {
    expect(pick({ sonnet: Number.NaN, son: 0.6 }, 'acme/sonnet')).toBe('son');
  });
});

describe('of several keys', () => {
  it('the longest wins, whatever the order', () => {
    expect(pick({ son: 0.6, 'sonnet-4': 0.7, sonnet: 0.8 }, 'acme/sonnet-4')).toBe('sonnet-4');
  });

  it('the provider does not count as length', () => {
    expect(pick({ 'averylongprovider:son': 0.6, sonnet: 0.8 }, 'averylongprovider/sonnet')).toBe('sonnet');
  });

  it('a scoped one beats an unscoped one of the same length', () => {
    expect(pick({ sonnet: 0.6, 'acme:sonnet': 0.8 }, 'acme/sonnet')).toBe('acme:sonnet');
    expect(pick({ 'acme:sonnet': 0.8, sonnet: 0.6 }, 'acme/sonnet')).toBe('acme:sonnet');
  });

  it('the first of two equal ones wins', () => {
    expect(pick({ son: 0.6, net: 0.7 }, 'acme/sonnet')).toBe('son');
  });
});
