import { DEEPEST, type Json } from '@palimpsest/contracts';

/** Stands for what lies deeper than a value may be nested. */
const TOO_DEEP = '[nested too deep]';
export const TOO_DEEP_NOTE = 'nested-too-deep';

/** The value, cut where it lies too deep. */
export function clipped(value: Json, left = DEEPEST): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((inner) => clipped(inner, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clipped(inner, left - 1)]));
}
