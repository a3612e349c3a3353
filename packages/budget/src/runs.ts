/**
 * Where a tokenizer's first pass may cut. It cuts text into pieces by kind of character and merges inside each piece, in time
 * that grows with the square of the piece; so a long run without a break is cut here, before it is counted.
 */

/** The longest run that is counted in one go, in UTF-16 code units. Ordinary text has no longer ones. */
export const RUN_CHARACTERS = 1000;

const LETTER = 1;
const COMBINING = 2;
const NUMBER = 3;
const BLANK = 4;
const LINE = 5;
const PUNCTUATION = 6;
const SLASH = 7;
const KINDS = 8;

/** For each kind, the kinds that may follow it inside one piece. Joins too much rather than too little: that only cuts more often. */
const joins = ((): Uint8Array => {
  const table = new Uint8Array(KINDS * KINDS);
  const join = (before: number, ...after: readonly number[]): void => after.forEach((kind) => (table[before * KINDS + kind] = 1));
  join(LETTER, LETTER, COMBINING);
  join(COMBINING, LETTER, COMBINING, PUNCTUATION, SLASH);
  join(PUNCTUATION, PUNCTUATION, SLASH, COMBINING, LINE);
  join(SLASH, PUNCTUATION, SLASH, COMBINING, LINE);
  join(BLANK, BLANK, LINE);
  join(LINE, LINE, BLANK, SLASH);
  return table;
})();

let basicPlane: Uint8Array | null = null;

function kinds(): Uint8Array {
  return (basicPlane ??= Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(String.fromCharCode(code))));
}

function kindOf(character: string): number {
  if (character === '/') return SLASH;
  if (/[\r\n]/.test(character)) return LINE;
  if (/\s/.test(character)) return BLANK;
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{M}/u.test(character)) return COMBINING;
  return /\p{N}/u.test(character) ? NUMBER : PUNCTUATION;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The nearest index at or below `at` that is not inside a surrogate pair. */
export function outsidePair(text: string, at: number): number {
  return at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at;
}

/** The text in order, cut only inside runs longer than {@link RUN_CHARACTERS}; ordinary text comes back whole. Linear. */
export function withoutLongRuns(text: string): readonly string[] {
  if (text.length <= RUN_CHARACTERS) return [text];
  const cuts = longRunCuts(text);
  return cuts.length === 0 ? [text] : [0, ...cuts].map((from, at) => text.slice(from, cuts[at]));
}

function longRunCuts(text: string): readonly number[] {
  const table = kinds();
  const cuts: number[] = [];
  let runStart = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const paired = isHigh(unit) && isLow(text.charCodeAt(at + 1));
    const kind = paired ? kindOf(text.slice(at, at + 2)) : (table[unit] ?? PUNCTUATION);
    if (joins[before * KINDS + kind] !== 1) runStart = at;
    else if (at + (paired ? 2 : 1) - runStart > RUN_CHARACTERS) {
      cuts.push(at);
      runStart = at;
    }
    before = kind;
    if (paired) at++;
  }
  return cuts;
}

/**
 * The text in order, in portions of about `characters`, cut where the tokenizer's first pass cuts too (a word ends, a blank
 * follows), so that the counts of the portions add up to the count of the whole. Where no such place is near, cut hard.
 */
export function portions(text: string, characters: number): readonly string[] {
  const cut: string[] = [];
  let from = 0;
  while (text.length - from > characters) {
    const near = text.length - from <= characters + RUN_CHARACTERS ? text.length : outsidePair(text, from + characters);
    const to = wordEnd(text, from + characters) ?? near;
    cut.push(text.slice(from, to));
    from = to;
  }
  return from < text.length || cut.length === 0 ? [...cut, text.slice(from)] : cut;
}

function wordEnd(text: string, from: number): number | null {
  const window = text.slice(from - 1, from + RUN_CHARACTERS);
  const found = /[A-Za-z0-9](?=\s)/.exec(window);
  return found === null ? null : from + found.index;
}
