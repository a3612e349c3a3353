import { DEEPEST, errors, inputInParts, isPalimpsestError, messageOf } from '@palimpsest/contracts';
import type { PalimpsestError, UserInput } from '@palimpsest/contracts';
import { z } from 'zod';

const inputInText = inputInParts.extend({ content: z.string() });

/** What a host says, a copy of its own from now on; or why it is no input. */
export function inputOf(given: unknown): UserInput | PalimpsestError {
  try {
    return checked(plain(typeof given === 'string' ? { content: given } : given));
  } catch (error) {
    return isPalimpsestError(error) ? error : errors.inputInvalid('', messageOf(error));
  }
}

function checked(input: unknown): UserInput | PalimpsestError {
  const text = typeof input === 'object' && input !== null && 'content' in input && typeof input.content === 'string';
  const { data, error } = (text ? inputInText : inputInParts).safeParse(input);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  return errors.inputInvalid(z.core.toDotPath(issue?.path ?? []), issue?.message ?? 'invalid');
}

/** As JSON would have it: what is undefined is not there, a URL is text. What JSON has no word for stays as it is, for the check to name. */
function plain(value: unknown, path: readonly PropertyKey[] = []): unknown {
  // Some levels more than the check allows, so that it names the place; a circle ends here.
  if (path.length > DEEPEST + 10)
    throw errors.inputInvalid(z.core.toDotPath(path.slice(0, 4)), `nested deeper than ${String(DEEPEST)} levels`);
  if (Array.isArray(value)) return value.map((inner, at) => plain(inner, [...path, at]));
  if (value instanceof URL) return value.href;
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  const kept = Object.entries(value as object).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner, [...path, key])]));
}
