/**
 * Which script a character belongs to, as far as tokens are concerned: scripts whose words cost alike share a number. By ranges,
 * because it has to be ready at once; what is in no range is a symbol.
 */
export const SYMBOL = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export const BLANK = 4;
export const LINE = 5;
export const PUNCTUATION = 6;
export const WIDE_PUNCTUATION = 7;
export const HAN = 8;
export const KANA = 9;
export const HANGUL = 10;
/** From here on: alphabets, a word of which costs one token and a rate for each further letter. */
export const LATIN = 11;
export const GREEK = 12;
export const CYRILLIC = 13;
export const HEBREW = 14;
export const ARABIC = 15;
export const INDIC = 16;
export const THAI = 17;
export const OTHER_LETTER = 18;
export const SCRIPTS = 19;

type Range = readonly [first: number, last: number, script: number];

/** Later ranges win. */
const RANGES: readonly Range[] = [
  [0x21, 0x7e, PUNCTUATION],
  [0x30, 0x39, DIGIT],
  [0x41, 0x5a, UPPER],
  [0x61, 0x7a, LOWER],
  [0x09, 0x0d, BLANK],
  [0x20, 0x20, BLANK],
  [0xa0, 0xa0, BLANK],
  [0x0a, 0x0a, LINE],
  [0x0d, 0x0d, LINE],
  [0xaa, 0xaa, LATIN],
  [0xb5, 0xb5, LATIN],
  [0xba, 0xba, LATIN],
  [0xc0, 0x24f, LATIN],
  [0xd7, 0xd7, SYMBOL],
  [0xf7, 0xf7, SYMBOL],
  [0x250, 0x36f, OTHER_LETTER],
  [0x370, 0x3ff, GREEK],
  [0x400, 0x52f, CYRILLIC],
  [0x530, 0x58f, OTHER_LETTER],
  [0x590, 0x5ff, HEBREW],
  [0x600, 0x8ff, ARABIC],
  [0x900, 0xdff, INDIC],
  [0xe00, 0xeff, THAI],
  [0xf00, 0x1dff, OTHER_LETTER],
  [0x1e00, 0x1eff, LATIN],
  [0x1f00, 0x1fff, GREEK],
  [0x2000, 0x200a, BLANK],
  [0x2c00, 0x2dff, OTHER_LETTER],
  [0x2e80, 0x2fdf, HAN],
  [0x3000, 0x3000, BLANK],
  [0x3001, 0x303f, WIDE_PUNCTUATION],
  [0x3005, 0x3007, HAN],
  [0x3040, 0x30ff, KANA],
  [0x3100, 0x31ef, OTHER_LETTER],
  [0x31f0, 0x31ff, KANA],
  [0x3400, 0x4dbf, HAN],
  [0x4e00, 0x9fff, HAN],
  [0xa000, 0xabff, OTHER_LETTER],
  [0xac00, 0xd7a3, HANGUL],
  [0xf900, 0xfaff, HAN],
  [0xfb1d, 0xfb4f, HEBREW],
  [0xfb50, 0xfdff, ARABIC],
  [0xfe70, 0xfefe, ARABIC],
  [0xff01, 0xff65, WIDE_PUNCTUATION],
  [0xff66, 0xff9f, KANA],
];

/** Script of each UTF-16 code unit; surrogates are symbols. */
export const scriptOf: Uint8Array = RANGES.reduce(
  (table, [first, last, script]) => table.fill(script, first, last + 1),
  new Uint8Array(0x10000),
);

export const isSign = (script: number): boolean => script === SYMBOL || script === PUNCTUATION || script === WIDE_PUNCTUATION;

export const isLetter = (script: number): boolean => script >= HAN || script === LOWER || script === UPPER;
