/** Numbers that people type, as options. Each is a mistake of theirs where it is none: USAGE_INVALID, with an example. */
import { errors } from '@palimpsest/contracts/plain';

/** Positive, of digits alone; `_` may stand between groups. @returns null when it is none. */
export function wholeNumber(text: string): number | null {
  return /^[1-9][0-9_]{0,12}$/u.test(text) ? Number(text.replaceAll('_', '')) : null;
}

/** A size of a window, or a part of one. */
export function tokensOf(option: string, text: string): number {
  return wholeNumber(text) ?? refused(option, text, 'a number of tokens', `Write a whole number, for example ${option} 32000.`);
}

export function limitOf(text: string): number {
  return wholeNumber(text) ?? refused('--limit', text, 'a whole number', 'Write a whole number from 1, for example --limit 20.');
}

const LARGEST_SEED = 2 ** 31 - 1;

export function seedOf(text: string): number {
  const seed = text === '0' ? 0 : wholeNumber(text);
  return seed !== null && seed <= LARGEST_SEED
    ? seed
    : refused('--seed', text, 'a seed', `Write a whole number from 0 to ${String(LARGEST_SEED)}, for example --seed 7.`);
}

export function shareOf(option: string, text: string): number {
  const share = /^(?:\d+|\d*\.\d+)$/u.test(text) ? Number(text) : 0;
  return share > 0 && share <= 1
    ? share
    : refused(option, text, 'a share', `Write a number above 0 and up to 1, for example ${option} 0.6.`);
}

/** A step by its number, or an entry by its id. */
export function stepOf(text: string): number | string {
  const step = wholeNumber(text);
  if (step !== null) return step;
  return text.trim() === '' || !Number.isNaN(Number(text))
    ? refused('step', text, 'a step', 'Steps are counted from 1; an entry is named by its id. Without any, the newest step is shown.')
    : text;
}

function refused(option: string, text: string, what: string, hint: string): never {
  throw errors.usageInvalid(`${option} ${text.trim() === '' ? '""' : text}: not ${what}`, hint);
}
