import { PAIR_LEVELS } from './pair-rates-data.ts';

/** 0 to 94: printable ASCII from the blank on; 95: a line end; 96: a tab. */
export const PAIR_CODES = 97;
const LINE_CODE = 95;
const TAB_CODE = 96;
/** Rates are kept as the square of a level of 0 to 63, one printable character each: fine steps where rates are small. */
export const TOP_LEVEL = 63;
export const FIRST_LEVEL_CHARACTER = 0x30;

/** Pair code of an ASCII code unit. */
export const pairCode: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit === 0x09) return TAB_CODE;
  return unit < 0x20 || unit === 0x7f ? LINE_CODE : unit - 0x20;
});

/** How often a token ends between two ASCII characters that stand next to each other in one piece: `[before * PAIR_CODES + after]`. */
export const pairRates: Float64Array = Float64Array.from(
  PAIR_LEVELS,
  (level) => ((level.charCodeAt(0) - FIRST_LEVEL_CHARACTER) / TOP_LEVEL) ** 2,
);
