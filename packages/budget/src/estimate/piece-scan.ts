import { HASH_START, hashStep, isKnown, KNOWN_LENGTH } from './known-pieces.ts';
import { PAIR_CODES, pairCode, pairRates } from './pair-rates.ts';
import { letterRates, RARE_CHARACTER } from './rates.ts';
import { BLANK, DIGIT, HAN, HANGUL, isLetter, LATIN, LINE, LOWER, PUNCTUATION, scriptOf, SYMBOL, UPPER, WIDE_PUNCTUATION } from './scripts.ts';

const SPACE = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
/** Longest run of blanks that is one token. */
const BLANKS_PER_TOKEN = 80;

/**
 * Walks a text once and cuts it into the pieces that the tokenizer's first pass would cut it into: a word with the blank or the
 * single sign before it, up to three digits, a run of signs with the line ends behind it, a run of blanks. Every piece is at least one token; what it costs
 * beyond that comes from rates per pair of neighbouring characters.
 */
export class PieceScan {
  readonly #text: string;
  #at = 0;
  #tokens = 0;

  constructor(text: string) {
    this.#text = text;
  }

  tokens(): number {
    while (this.#at < this.#text.length) this.#piece();
    return this.#tokens;
  }

  #script(at: number): number {
    return at < this.#text.length ? (scriptOf[this.#text.charCodeAt(at)] ?? SYMBOL) : -1;
  }

  #piece(): void {
    const script = this.#script(this.#at);
    if (isLetter(script)) this.#word(-1);
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
    for (let script = this.#script(to); script === BLANK || script === LINE; script = this.#script(++to)) if (script === LINE) afterLine = to + 1;
    if (afterLine > from) this.#inPiece(from, afterLine);
    const blanks = to - afterLine;
    this.#at = to;
    if (blanks > 0) this.#blanks(blanks, this.#script(to));
  }

  #blanks(blanks: number, next: number): void {
    const last = this.#text.charCodeAt(this.#at - 1);
    const joins = isLetter(next) || (last === SPACE && (next === PUNCTUATION || next === WIDE_PUNCTUATION || next === SYMBOL));
    const alone = next === -1 ? blanks : blanks - 1;
    if (alone > 0) this.#tokens += Math.ceil(alone / BLANKS_PER_TOKEN);
    if (isLetter(next)) this.#word(last);
    else if (joins) this.#signs(true);
    else if (next !== -1) this.#tokens++;
  }

  /** A run of ASCII characters that the first pass does not cut. */
  #inPiece(from: number, to: number): void {
    this.#tokens++;
    for (let at = from + 1; at < to; at++) this.#tokens += pairRate(this.#text.charCodeAt(at - 1), this.#text.charCodeAt(at));
  }

  #signs(afterSpace: boolean): void {
    const from = this.#at;
    let to = from;
    for (let script = this.#script(to); script === PUNCTUATION || script === WIDE_PUNCTUATION || script === SYMBOL; script = this.#script(to)) to++;
    if (to - from === 1 && !afterSpace && isLetter(this.#script(to))) {
      this.#at = to;
      this.#word(this.#text.charCodeAt(from));
      return;
    }
    for (let unit = this.#text.charCodeAt(to); to < this.#text.length && (unit === 0x0a || unit === 0x0d || unit === SLASH); unit = this.#text.charCodeAt(to)) to++;
    this.#at = to;
    this.#signRun(afterSpace ? from - 1 : from, to);
  }

  #signRun(from: number, to: number): void {
    let before = -1;
    for (let at = from; at < to; at++) {
      const unit = this.#text.charCodeAt(at);
      this.#tokens += before === -1 ? 1 : unit < 128 && before < 128 ? pairRate(before, unit) : signRate(before, unit);
      before = unit;
    }
  }

  #word(prefix: number): void {
    let before = prefix;
    let script = this.#script(this.#at);
    let last = -1;
    while (script !== -1 && isLetter(script)) {
      if (script >= HAN && script <= HANGUL) before = this.#ideographs(last === -1 ? before : -1);
      else {
        const unit = this.#text.charCodeAt(this.#at++);
        this.#tokens += letterCost(before, last, unit, script);
        before = unit;
      }
      last = script;
      script = this.#script(this.#at);
    }
    if (this.#text.charCodeAt(this.#at) === APOSTROPHE) this.#contraction();
  }

  #contraction(): void {
    const match = /^'(?:[sdmt]|ll|ve|re)/i.exec(this.#text.slice(this.#at, this.#at + 3));
    if (match === null) return;
    this.#tokens += 0.9;
    this.#at += match[0].length;
  }

  /** A run of Chinese, Japanese or Korean characters, always taking the longest known piece. Returns its last character. */
  #ideographs(prefix: number): number {
    let to = this.#at;
    for (let script = this.#script(to); script >= HAN && script <= HANGUL; script = this.#script(++to));
    if (prefix === SPACE && this.#known(this.#at - 1, to) > 1) this.#at--;
    else if (prefix !== -1) this.#tokens++;
    while (this.#at < to) {
      const length = this.#known(this.#at, to);
      this.#tokens += length === 0 ? RARE_CHARACTER : 1;
      this.#at += Math.max(1, length);
    }
    return this.#text.charCodeAt(to - 1);
  }

  #known(from: number, to: number): number {
    let hash = HASH_START;
    let longest = 0;
    for (let at = from; at < to && at - from < KNOWN_LENGTH; at++) {
      hash = hashStep(hash, this.#text.charCodeAt(at));
      if (isKnown(hash)) longest = at - from + 1;
    }
    return longest;
  }
}

const pairRate = (before: number, after: number): number => pairRates[(pairCode[before] ?? 0) * PAIR_CODES + (pairCode[after] ?? 0)] ?? 0;

function letterCost(before: number, last: number, unit: number, script: number): number {
  if (script === LOWER || script === UPPER) {
    if (last === LOWER && script === UPPER) return 1;
    if (before === -1) return 1;
    const extra = before < 128 ? pairRate(before, unit) : last === LATIN ? (letterRates[LATIN] ?? 0) : 1;
    return last === -1 ? 1 + extra : extra;
  }
  if (last === -1) return before === -1 || before === SPACE ? 1 : 1.8;
  const joined = last === script || (script === LATIN && (last === LOWER || last === UPPER));
  return joined ? (letterRates[script] ?? 0) : 1;
}

function signRate(before: number, unit: number): number {
  const script = scriptOf[unit] ?? SYMBOL;
  if (script === WIDE_PUNCTUATION || unit < 128) return 0.9;
  if (unit === before) return 0.3;
  return unit >= 0xdc00 && unit <= 0xdfff ? 0.9 : 1.1;
}
