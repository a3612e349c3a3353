/** Rates that were fitted to texts of each kind, counted with o200k_base. */
import { ARABIC, CYRILLIC, GREEK, HEBREW, INDIC, LATIN, OTHER_LETTER, SCRIPTS, THAI } from './scripts.ts';

/** Tokens that each further letter of a word adds, by script. */
export const letterRates: Float64Array = ((): Float64Array => {
  const rates = new Float64Array(SCRIPTS);
  rates[LATIN] = 0.35;
  rates[GREEK] = 0.3;
  rates[CYRILLIC] = 0.2;
  rates[HEBREW] = 0.35;
  rates[ARABIC] = 0.25;
  rates[INDIC] = 0.3;
  rates[THAI] = 0.4;
  rates[OTHER_LETTER] = 0.8;
  return rates;
})();

/** Tokens of a Chinese, Japanese or Korean character that is no token by itself. */
export const RARE_CHARACTER = 2.08;
