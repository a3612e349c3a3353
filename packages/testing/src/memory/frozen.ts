import { deepFrozen } from '@palimpsest/contracts';

/** A copy as JSON would give it back, frozen to its last leaf: a test that writes to what a store returned fails at once. */
export function frozenCopy<T>(value: T): T {
  return deepFrozen(JSON.parse(JSON.stringify(value)) as T);
}
