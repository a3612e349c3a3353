/** The begin of a JSON document as a value: what is whole is kept, what is open is closed. */
import type { Json } from '@palimpsest/contracts';
import { stringEnd } from './scan.ts';
import { tryParse } from './values.ts';

/** The newest place at which the text can be cut, and the brackets open there. */
interface Cut {
  end: number;
  closers: string;
}

/** Undefined: not even a begin. Entries that are not whole are left out. */
export function prefixValue(text: string): Json | undefined {
  const cut: Cut = { end: 0, closers: '' };
  const stack: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at) - 1;
      if (at < 0) break;
    } else if (char === '{' || char === '[') {
      stack.push(char === '{' ? '}' : ']');
      mark(cut, at + 1, stack);
    } else if (char === '}' || char === ']') {
      stack.pop();
      mark(cut, at + 1, stack);
    } else if (char === ',') mark(cut, at, stack);
  }
  return cut.end === 0 ? undefined : tryParse(text.slice(0, cut.end) + cut.closers);
}

function mark(cut: Cut, end: number, stack: readonly string[]): void {
  cut.end = end;
  cut.closers = stack.slice().reverse().join('');
}
