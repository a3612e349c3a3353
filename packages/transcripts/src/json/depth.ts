/**
 * How deep a value may be nested. Whatever walks over it afterwards (checks, copies, writing it as JSON) does so by recursion, so a
 * value that is nested without end would break it far from here.
 */
import type { Json } from '@palimpsest/contracts';

export const DEEPEST = 200;
/** Stands for what lies deeper. */
const TOO_DEEP = '[nested too deep]';
export const TOO_DEEP_NOTE = 'nested-too-deep';

export function isTooDeep(value: Json, left = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  // Every record passes here: loops, for a list of values made for each object would take three times as long.
  if (Array.isArray(value)) {
    for (const inner of value) if (isTooDeep(inner, left - 1)) return true;
    return false;
  }
  for (const key in value) if (isTooDeep(value[key] ?? null, left - 1)) return true;
  return false;
}

/** The value, cut where it lies too deep. */
export function clipped(value: Json, left = DEEPEST): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((inner) => clipped(inner, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clipped(inner, left - 1)]));
}
