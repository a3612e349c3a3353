/**
 * What pieces of text cost, in tokens of o200k_base. Fitted to texts of many kinds (code of eleven languages, prose, JSON,
 * logs, sessions of agents) and checked on others; `estimate-tokens.test.ts` checks it again.
 */
import { ARABIC, CYRILLIC, GREEK, HEBREW, INDIC, LATIN, OTHER_LETTER, SCRIPTS, THAI } from './scripts.ts';

/** What stands before the letters of a word, inside its piece. */
export const BARE = 0;
export const AFTER_BLANK = 1;
export const AFTER_SIGN = 2;

/** How a word is written. */
export const LOWER_CASE = 0;
export const UPPER_CASE = 1;
export const MIXED_CASE = 2;

const BUCKETS = 9;

/**
 * By what the pair rates of a word are multiplied: rows by what stands before it and how it is written, columns by length (1-2, 3-4,
 * ... letters). Common words stand after a blank, rare ones after a sign.
 */
const wordFactors: Float64Array = Float64Array.of(
  ...[1, 0.14, 0.75, 1.02, 1.33, 2.0, 1.7, 2.6, 2.38],
  ...[1, 0.33, 1.05, 1.03, 1.12, 1.24, 1.26, 1.05, 1.07],
  ...[1, 0.56, 0.99, 0.95, 0.98, 1.07, 1.08, 1.31, 1.22],
  ...[1, 0.16, 0.39, 0.31, 0.4, 0.64, 0.76, 0.93, 1.06],
  ...[1, 0.48, 0.54, 0.88, 0.96, 1.06, 1.1, 1.07, 0.94],
  ...[1, 0.78, 0.56, 0.92, 1.1, 1.43, 1.55, 1.19, 1.17],
  ...[1, 0.71, 1.13, 1.32, 1.89, 2.03, 2.47, 2.72, 2.3],
  ...[1, 0.86, 0.98, 0.94, 1.17, 1.1, 1.36, 1.31, 1.34],
  ...[1, 1.15, 1.22, 1.11, 1.48, 1.55, 1.43, 1.11, 1.05],
);

export const wordFactor = (before: number, writing: number, letters: number): number =>
  wordFactors[(before * 3 + writing) * BUCKETS + Math.min(BUCKETS - 1, (letters + 1) >> 1)] ?? 1;

/** The same for a run of signs, by its length. */
const signFactors = [1, 1, 0.27, 0.55, 1.15, 1.44, 1.43, 1.3, 1.3, 1.25] as const;

export const signFactor = (length: number): number => signFactors[length] ?? 1.25;

/** How often a token ends between two letters of encoded bytes: by how far they are into their word, the first three steps apart. */
export const ENCODED_SAME: readonly number[] = [0, 0.13, 0.4, 0.33];
export const ENCODED_LOWER: readonly number[] = [0, 0.19, 0.33, 0.33];
export const ENCODED_TURN: readonly number[] = [0, 0.4, 0.78, 0.57];
export const ENCODED_UPPER: readonly number[] = [0, 0.31, 0.54, 0.46];
export const ENCODED_SIGN = 0.48;
/** Three blanks in base64: one token. Indented text is full of them. */
export const ENCODED_BLANKS = 'ICAg';
/** Each letter before it in its word. */
export const ENCODED_BEFORE_BLANKS = 0.5;
/** Each further letter of a run of one letter. */
export const REPEATED = 0.11;
export const ENCODED_REPEATED = 0.25;

/** How much dearer ASCII words become with each word that holds another Latin letter, and at most. */
export const FOREIGN_RATE = 4;
export const FOREIGN_MOST = 1.2;

/** Words of alphabets other than ASCII: letters up to `free` cost one token together, each further one `rate`. */
export interface Alphabet {
  readonly free: number;
  readonly rate: number;
}
const alphabets: Readonly<Record<number, Alphabet>> = {
  [LATIN]: { free: 3, rate: 0.25 },
  [GREEK]: { free: 2, rate: 0.4 },
  [CYRILLIC]: { free: 3, rate: 0.2 },
  [HEBREW]: { free: 2, rate: 0.5 },
  [ARABIC]: { free: 3, rate: 0.42 },
  [INDIC]: { free: 2, rate: 0.44 },
  [THAI]: { free: 1, rate: 0.42 },
  [OTHER_LETTER]: { free: 1, rate: 1 },
};
const unheardOf: Alphabet = { free: 1, rate: 1 };
export const alphabetOf: readonly Alphabet[] = Array.from({ length: SCRIPTS }, (_, script) => alphabets[script] ?? unheardOf);

/** A sign outside ASCII, of two UTF-16 code units, that is no token by itself. */
export const RARE_WIDE_SIGN = 2.3;
/** The end of a contraction: none for `it's`, one for `engine's`. */
export const CONTRACTED = 0.3;
/** Longest run of blanks that is one token. */
export const BLANKS_PER_TOKEN = 80;
