/** Plain data, frozen to its last leaf: whoever writes to it gets a TypeError. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}
