/** The begin of a JSON document as a value: what is whole is kept, what is open is closed. */
import type { Json } from '@palimpsest/contracts';
import { stringEnd } from './scan.ts';
import { tryParse } from './values.ts';

/** Undefined: not even a begin. Entries that are not whole are left out. */
export function prefixValue(text: string): Json | undefined {
  // The text can be cut behind every bracket and before every comma: so what is open at the newest cut is what is open at the end.
  const open: string[] = [];
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at) - 1;
      if (at < 0) break;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      end = at + 1;
    } else if (char === '}' || char === ']') {
      open.pop();
      end = at + 1;
    } else if (char === ',') end = at;
  }
  return end === 0 ? undefined : tryParse(text.slice(0, end) + open.reverse().join(''));
}
