/** The exact text of a value inside a JSON text: signatures bind to bytes, so parsing and writing again is not good enough. */
import { skipBlank, stringEnd, valueEnd } from './scan.ts';

/** The text at `path` within the well-formed JSON `text`; null: nothing there. */
export function sliceAt(text: string, path: readonly (string | number)[]): string | null {
  let at: number | null = skipBlank(text, 0);
  for (const step of path) {
    at = typeof step === 'number' ? elementAt(text, at, step) : memberAt(text, at, step);
    if (at === null) return null;
  }
  const end = valueEnd(text, at);
  return end === -1 ? null : text.slice(at, end);
}

function elementAt(text: string, start: number, index: number): number | null {
  if (text[start] !== '[') return null;
  let at = skipBlank(text, start + 1);
  for (let seen = 0; text[at] !== ']'; seen++) {
    if (seen === index) return at;
    at = nextEntry(text, at);
    if (at === -1) return null;
  }
  return null;
}

/** Of a key written twice the last one counts, as it does when parsing. */
function memberAt(text: string, start: number, key: string): number | null {
  if (text[start] !== '{') return null;
  let found: number | null = null;
  let at = skipBlank(text, start + 1);
  while (text[at] === '"') {
    const end = stringEnd(text, at);
    if (end === -1) return found;
    const value = skipBlank(text, skipBlank(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === key) found = value;
    at = nextEntry(text, value);
    if (at === -1) return found;
  }
  return found;
}

/** From the begin of a value to the begin of the next entry, or to the closing bracket; -1: cut off. */
function nextEntry(text: string, value: number): number {
  const end = valueEnd(text, value);
  if (end === -1) return -1;
  const at = skipBlank(text, end);
  return text[at] === ',' ? skipBlank(text, at + 1) : at < text.length ? at : -1;
}
