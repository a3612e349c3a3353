const frozen = new WeakSet();

/** Frozen to its last leaf. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}

/** The same, remembered: what is handed out again and again is walked once. For what belongs to the log and nobody may write to. */
export function frozenOnce<T extends object>(value: T): T {
  if (frozen.has(value)) return value;
  frozen.add(value);
  return deepFrozen(value);
}
