/** How deep a value may be nested. Whatever walks over it (checks, copies, writing it as JSON) does so by recursion, which one without end would break. */
export const DEEPEST = 200;
/** What holds such values: a message, an entry, a line of a file. */
export const DEEPEST_AROUND = DEEPEST + 8;

/** Nested deeper than `left` levels of lists and objects. Pure. */
export function isTooDeep(value: unknown, left = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  // Every record of a transcript passes here: loops, for a list of values made for each object would take three times as long.
  if (Array.isArray(value)) {
    for (const inner of value) if (isTooDeep(inner, left - 1)) return true;
    return false;
  }
  for (const key in value) if (isTooDeep((value as Readonly<Record<string, unknown>>)[key], left - 1)) return true;
  return false;
}
