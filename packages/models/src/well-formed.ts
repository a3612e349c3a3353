import type { Json } from '@palimpsest/contracts';

/**
 * Text as every provider takes it: no lone surrogates, no NUL; both become U+FFFD. Text that is clean already, which is the rule
 * because the renderer cleans first, comes back as it is.
 */
export function toWellFormed(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\u0000') ? formed.replaceAll('\u0000', '\uFFFD') : formed;
}

/** The same for every string and every key inside a JSON value. Clean values come back as they are, uncopied. */
export function toWellFormedJson(value: Json): Json {
  if (typeof value === 'string') return toWellFormed(value);
  if (value === null || typeof value !== 'object') return value;
  return isClean(value) ? value : copied(value);
}

function isClean(value: Json): boolean {
  if (typeof value === 'string') return toWellFormed(value) === value;
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isClean);
  return Object.entries(value).every(([key, inner]) => toWellFormed(key) === key && isClean(inner));
}

function copied(value: Json): Json {
  if (typeof value === 'string') return toWellFormed(value);
  if (Array.isArray(value)) return value.map(copied);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toWellFormed(key), copied(inner)]));
}
