import { stretchAt } from './encoded-bytes.ts';
import { knownLength, rareCharacter } from './known-pieces.ts';
import { PAIR_CODES, pairCode, pairRates } from './pair-rates.ts';
import {
  AFTER_BLANK,
  AFTER_SIGN,
  alphabetOf,
  BARE,
  BLANKS_PER_TOKEN,
  CONTRACTED,
  ENCODED_BEFORE_BLANKS,
  ENCODED_BLANKS,
  ENCODED_LOWER,
  ENCODED_REPEATED,
  ENCODED_SAME,
  ENCODED_SIGN,
  ENCODED_TURN,
  ENCODED_UPPER,
  FOREIGN_MOST,
  FOREIGN_RATE,
  LOWER_CASE,
  MIXED_CASE,
  RARE_WIDE_SIGN,
  REPEATED,
  signFactor,
  UPPER_CASE,
  wordFactor,
} from './rates.ts';
import { BLANK, DIGIT, HAN, HANGUL, isLetter, isSign, LATIN, LINE, LOWER, scriptOf, UPPER } from './scripts.ts';

const ASCII = 128;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const CONTRACTION = /'(?:[sdmt]|ll|ve|re)/iy;
const NOTHING = -1;
const END = -1;

/**
 * Walks a text once and cuts it into the pieces that the tokenizer's first pass would cut it into: a word with the blank or the
 * single sign before it, up to three digits, a run of signs with the line ends behind it, a run of blanks. A piece is at least one
 * token; what it costs beyond that comes from rates for each pair of neighbouring characters, from known pieces, or by script.
 */
export class PieceScan {
  readonly #text: string;
  #at = 0;
  #tokens = 0;
  /** Up to here it is known whether the text is encoded bytes. */
  #stretchEnd = 0;
  #encoded = false;
  /** What the pair rates of ASCII words came to, and how many words there were, with and without other Latin letters. */
  #wordExtra = 0;
  #words = 0;
  #foreignWords = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): number {
    while (this.#at < this.#text.length) this.#piece();
    return this.#tokens + this.#wordExtra * foreignness(this.#foreignWords / Math.max(1, this.#words));
  }

  #script(at: number): number {
    return at < this.#text.length ? (scriptOf[this.#text.charCodeAt(at)] ?? 0) : END;
  }

  #piece(): void {
    const script = this.#script(this.#at);
    if (isLetter(script)) this.#word(NOTHING);
    else if (script === DIGIT) this.#digits();
    else if (script === BLANK || script === LINE) this.#space();
    else this.#signs(false);
  }

  #digits(): void {
    const from = this.#at;
    while (this.#script(this.#at) === DIGIT) this.#at++;
    this.#tokens += Math.ceil((this.#at - from) / 3);
  }

  /** Blanks up to the last line end are one piece; of the rest, the last blank goes with the word or the signs that follow. */
  #space(): void {
    const from = this.#at;
    let afterLine = from;
    let to = from;
    for (let script = this.#script(to); script === BLANK || script === LINE; script = this.#script(++to))
      if (script === LINE) afterLine = to + 1;
    if (afterLine > from) this.#lines(from, afterLine);
    this.#at = to;
    if (to > afterLine) this.#blanks(to - afterLine, this.#script(to));
  }

  #lines(from: number, to: number): void {
    this.#tokens++;
    for (let at = from + 1; at < to; at++) this.#tokens += pairRate(this.#text.charCodeAt(at - 1), this.#text.charCodeAt(at));
  }

  #blanks(blanks: number, next: number): void {
    const last = this.#text.charCodeAt(this.#at - 1);
    const alone = next === END ? blanks : blanks - 1;
    this.#tokens += Math.ceil(alone / BLANKS_PER_TOKEN);
    if (isLetter(next)) this.#word(last);
    else if (last === SPACE && isSign(next)) this.#signs(true);
    else if (next !== END) this.#tokens++;
  }

  #signs(afterSpace: boolean): void {
    const from = this.#at;
    let to = from;
    while (isSign(this.#script(to))) to++;
    if (to - from === 1 && !afterSpace && isLetter(this.#script(to))) {
      this.#at = to;
      this.#word(this.#text.charCodeAt(from));
      return;
    }
    while (endsSigns(this.#text.charCodeAt(to))) to++;
    this.#at = to;
    this.#signRun(afterSpace ? from - 1 : from, to);
  }

  #signRun(from: number, to: number): void {
    let extra = 0;
    let before = NOTHING;
    for (let at = from; at < to;) {
      const unit = this.#text.charCodeAt(at);
      if (unit >= ASCII || this.#text.charCodeAt(at + 1) >= ASCII) {
        at += this.#wideSign(at, to);
        before = ASCII;
        continue;
      }
      if (before === NOTHING) this.#tokens++;
      else if (before < ASCII) extra += pairRate(before, unit);
      else if (!endsSigns(unit)) this.#tokens++;
      before = unit;
      at++;
    }
    this.#tokens += extra * signFactor(to - from);
  }

  /** A sign outside ASCII, with its neighbours if they are one token together. Returns the length. */
  #wideSign(at: number, to: number): number {
    const unit = this.#text.charCodeAt(at);
    let same = 1;
    while (at + same < to && this.#text.charCodeAt(at + same) === unit) same++;
    if (same >= 4) {
      this.#tokens += repeatedSigns(same);
      return same;
    }
    const length = knownLength(this.#text, at, to);
    const wide = unit >= 0xd800 && unit <= 0xdbff;
    if (length > 0) this.#tokens++;
    else if (unit === SPACE) this.#tokens += knownLength(this.#text, at + 1, to) > 0 ? 1 : 0;
    else this.#tokens += unit < ASCII ? 1 : wide ? RARE_WIDE_SIGN : rareCharacter(unit);
    return Math.max(length, wide && at + 1 < to ? 2 : 1);
  }

  /** Letters in a row, of whatever script; `prefix` is the character that goes with them, or NOTHING. */
  #word(prefix: number): void {
    let letters = 0;
    let before = prefix;
    for (let script = this.#script(this.#at); isLetter(script); script = this.#script(this.#at)) {
      if (script === LOWER || script === UPPER) letters = this.#latin(before, letters);
      else if (script > HANGUL) letters = this.#alphabet(before, script, letters);
      else letters = this.#ideographs(before);
      before = NOTHING;
    }
    if (this.#text.charCodeAt(this.#at) === APOSTROPHE) this.#contraction();
  }

  #contraction(): void {
    CONTRACTION.lastIndex = this.#at;
    if (!CONTRACTION.test(this.#text)) return;
    this.#tokens += CONTRACTED;
    this.#at = CONTRACTION.lastIndex;
  }

  /** ASCII letters up to the next capital after a small letter. Returns how long the word is so far if other letters may continue it. */
  #latin(prefix: number, letters: number): number {
    if (this.#at >= this.#stretchEnd) this.#lookAhead();
    const from = this.#at;
    const extra = this.#encoded && letters === 0 ? this.#encodedLetters(prefix) : this.#letters(prefix, letters);
    this.#tokens += letters === 0 ? 1 + extra : extra;
    return this.#script(this.#at) === LATIN ? letters + this.#at - from : 0;
  }

  #lookAhead(): void {
    const { to, encoded } = stretchAt(this.#text, this.#at);
    this.#stretchEnd = to;
    this.#encoded = encoded;
  }

  #letters(prefix: number, letters: number): number {
    const text = this.#text;
    const end = text.length;
    const from = this.#at;
    let unit = text.charCodeAt(from);
    let script = scriptOf[unit] ?? 0;
    let extra = prefix === NOTHING ? 0 : prefix < ASCII ? pairRate(prefix, unit) : 1;
    let lower = false;
    let upper = false;
    let same = 0;
    let at = from;
    while (script === LOWER || (script === UPPER && !lower)) {
      if (script === LOWER) lower = true;
      else upper = true;
      if (++at === end) break;
      const before = unit;
      unit = text.charCodeAt(at);
      script = scriptOf[unit] ?? 0;
      if (script !== LOWER && (script !== UPPER || lower)) break;
      same = unit === before ? same + 1 : 0;
      extra += same > 2 ? REPEATED : pairRate(before, unit);
    }
    this.#at = at;
    const writing = !upper ? LOWER_CASE : lower ? MIXED_CASE : UPPER_CASE;
    extra *= wordFactor(prefix === NOTHING ? BARE : prefix === SPACE ? AFTER_BLANK : AFTER_SIGN, writing, letters + at - from);
    this.#words++;
    this.#wordExtra += extra;
    return extra;
  }

  #encodedLetters(prefix: number): number {
    const from = this.#at;
    let extra = prefix === NOTHING || prefix === SPACE ? 0 : ENCODED_SIGN;
    let before = this.#text.charCodeAt(from);
    let lower = this.#script(from) === LOWER;
    let same = 0;
    let at = from + 1;
    for (let script = this.#script(at); script === LOWER || (script === UPPER && !lower); script = this.#script(++at)) {
      const unit = this.#text.charCodeAt(at);
      same = unit === before ? same + 1 : 0;
      const step = Math.min(3, at - from);
      const rates = same > 0 ? ENCODED_SAME : lower ? ENCODED_LOWER : script === LOWER ? ENCODED_TURN : ENCODED_UPPER;
      extra += same > 1 ? ENCODED_REPEATED : (rates[step] ?? 0);
      lower = script === LOWER;
      before = unit;
    }
    this.#at = at;
    const ahead = at - from - ENCODED_BLANKS.length;
    return ahead >= 0 && this.#text.startsWith(ENCODED_BLANKS, from + ahead) ? ahead * ENCODED_BEFORE_BLANKS : extra;
  }

  /** Letters of one script other than ASCII. Returns as {@link #latin} does. */
  #alphabet(prefix: number, script: number, letters: number): number {
    const from = this.#at;
    while (this.#script(this.#at) === script) this.#at++;
    const before = script === LATIN ? letters : 0;
    const { free, rate } = alphabetOf[script] ?? { free: 1, rate: 1 };
    const length = before + this.#at - from;
    if (script === LATIN) this.#foreignWords++;
    if (before === 0) this.#tokens += prefix === NOTHING || prefix === SPACE ? 1 : 1.8;
    this.#tokens += rate * Math.max(0, length - Math.max(free, before));
    return script === LATIN ? length : 0;
  }

  /** A run of Chinese, Japanese or Korean characters, always taking the longest known piece. */
  #ideographs(prefix: number): number {
    let to = this.#at;
    for (let script = this.#script(to); script >= HAN && script <= HANGUL; script = this.#script(++to));
    if (prefix === SPACE && knownLength(this.#text, this.#at - 1, to) > 1) this.#at--;
    else if (prefix !== NOTHING) this.#tokens++;
    while (this.#at < to) {
      const length = knownLength(this.#text, this.#at, to);
      this.#tokens += length === 0 ? rareCharacter(this.#text.charCodeAt(this.#at)) : 1;
      this.#at += Math.max(1, length);
    }
    return 0;
  }
}

const pairRate = (before: number, after: number): number => pairRates[(pairCode[before] ?? 0) * PAIR_CODES + (pairCode[after] ?? 0)] ?? 0;

/** Words of languages that write other Latin letters too are rarer in the vocabulary: by how much more they cost, from the share of such letters. */
const foreignness = (share: number): number => Math.min(FOREIGN_MOST, share * FOREIGN_RATE);

/** Runs of one sign are tokens of sixteen, eight, four, two and one. */
const repeatedSigns = (length: number): number =>
  (length >> 4) + ((length >> 3) & 1) + ((length >> 2) & 1) + ((length >> 1) & 1) + (length & 1);

/** What a run of signs takes with it. */
const endsSigns = (unit: number): boolean => unit === 0x0a || unit === 0x0d || unit === SLASH;
