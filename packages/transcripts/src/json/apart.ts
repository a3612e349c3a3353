/** Takes a line apart that is not one JSON value: glued records, a cut-off record with the next one behind it, runs of NUL bytes. */
import type { JsonObject } from './values.ts';
import { objectOf, tryParse } from './values.ts';
import { skipBlank, valueEnd } from './scan.ts';
import type { SkipReason } from '../transcript.ts';

/** Whether an object is a record of the format, not an inner object of a cut-off one. */
export type RecordTest = (value: JsonObject) => boolean;
export interface Apart {
  readonly records: readonly { readonly value: JsonObject; readonly text: string }[];
  readonly skipped: readonly SkipReason[];
  readonly notes: readonly string[];
}
interface Found {
  readonly value: JsonObject;
  readonly start: number;
  readonly end: number;
}

/** Scanning to the right restarts at every `{"`; this many characters per line length bound it on hostile lines. */
const PATIENCE = 64;

export function takeApart(line: string, isRecord: RecordTest): Apart {
  const text = line.replace(/^\0+|\0+$/gu, '');
  if (skipBlank(text, 0) === text.length) return { records: [], skipped: ['nul'], notes: [] };
  const notes = text.length < line.length ? ['nul'] : [];
  const whole = tryParse(text);
  const object = objectOf(whole);
  if (object !== null) return { records: [{ value: object, text }], skipped: [], notes };
  if (whole !== undefined) return { records: [], skipped: ['not-an-object'], notes };
  return pieces(text, isRecord, notes);
}

/** Whole objects from the left, at most so many: of a line that is longer than what is at hand. */
export function firstObjects(text: string, most: number): JsonObject[] {
  const found: JsonObject[] = [];
  const budget = { left: text.length };
  for (let at = skipBlank(text, 0); found.length < most;) {
    const next = objectAt(text, at, budget);
    if (next === null) break;
    found.push(next.value);
    at = skipBlank(text, next.end);
  }
  return found;
}

function pieces(text: string, isRecord: RecordTest, notes: string[]): Apart {
  const records: { value: JsonObject; text: string }[] = [];
  const skipped: SkipReason[] = [];
  const budget = { left: PATIENCE * text.length };
  for (let at = skipBlank(text, 0); at < text.length;) {
    let found = objectAt(text, at, budget);
    if (found === null) {
      skipped.push('torn');
      found = search(text, at + 1, isRecord, budget);
      if (found === null) break;
    }
    records.push({ value: found.value, text: text.slice(found.start, found.end) });
    at = skipBlank(text, found.end);
  }
  return { records, skipped, notes: records.length > 1 && skipped.length === 0 ? [...notes, 'glued'] : notes };
}

function objectAt(text: string, start: number, budget: { left: number }): Found | null {
  if (text[start] !== '{') return null;
  const end = valueEnd(text, start);
  budget.left -= (end === -1 ? text.length : end) - start;
  const value = end === -1 ? null : objectOf(tryParse(text.slice(start, end)));
  return value === null ? null : { value, start, end };
}

/** The cut-off record holds whole inner objects, so only something shaped like a record ends the search. */
function search(text: string, from: number, isRecord: RecordTest, budget: { left: number }): Found | null {
  for (let at = text.indexOf('{"', from); at !== -1 && budget.left > 0; at = text.indexOf('{"', at + 1)) {
    const found = objectAt(text, at, budget);
    if (found !== null && isRecord(found.value)) return found;
  }
  return null;
}
