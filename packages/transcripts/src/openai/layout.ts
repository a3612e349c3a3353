/** Where a document keeps its message lists. */
import type { Json } from '@palimpsest/contracts';
import { listOf, objectOf, type JsonObject } from '../json/values.ts';

/** `many`: a list of sessions, each an object. `key`: under which the list stands; null: the document is the list. */
export interface Layout {
  readonly many: boolean;
  readonly key: string | null;
}

const LIST_KEYS = ['messages', 'traj', 'history', 'conversation'];
const listKey = (object: JsonObject): string | null => LIST_KEYS.find((key) => listOf(object[key]) !== null) ?? null;

/** Null: no list of messages. The lists of `value` may be cut to their begin. */
export function layoutOf(value: Json): Layout | null {
  const object = objectOf(value);
  if (object !== null) {
    const key = listKey(object);
    return key === null ? null : { many: false, key };
  }
  const elements = (listOf(value) ?? []).map(objectOf).filter((one) => one !== null);
  const holder = elements.find((one) => listKey(one) !== null);
  return holder === undefined ? { many: false, key: null } : { many: true, key: listKey(holder) };
}
