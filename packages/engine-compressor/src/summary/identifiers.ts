/** Exact strings that later work may need to the letter: paths, names, hashes, ids. Pure. */

/** Every repetition is bounded: a megabyte without a break costs no more than one with breaks. */
const patterns: readonly { readonly pattern: RegExp; readonly bonus: number }[] = [
  { pattern: /https?:\/\/[^\s"'`<>()[\]{}\\]{4,160}/gu, bonus: 1 },
  { pattern: /(?<![\w.@/~+-])(?:[\w.@+-]{1,64}\/){1,16}[\w@+-]{1,96}(?![\w.@+/-])/gu, bonus: -1 },
  { pattern: /(?<![\w.@/~+-])(?:~|\.{1,2})?\/?(?:[\w.@+-]{1,64}\/){1,16}[\w.@+-]{1,96}/gu, bonus: 2 },
  {
    pattern:
      /\b[\w-]{1,64}\.(?:ts|tsx|js|jsx|mjs|cjs|json|jsonl|md|py|go|rs|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sh|sql|ya?ml|toml|ini|cfg|conf|lock|txt|csv|tsv|html|css|scss|xml|pdf|png|svg|ipynb)\b/gu,
    bonus: 2,
  },
  { pattern: /\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}\b/gu, bonus: 2 },
  { pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, bonus: 2 },
  { pattern: /\b(?=[0-9a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,64}\b/gu, bonus: 2 },
  { pattern: /\b(?=[A-Z-]{0,39}\d)(?=\d{0,39}[A-Z])[A-Z0-9][A-Z0-9-]{4,39}\b/gu, bonus: 2 },
  { pattern: /#\d{1,8}\b/gu, bonus: 0 },
  { pattern: /\b[a-z][a-z0-9]{0,39}(?:_[a-z0-9]{1,40}){1,8}\b/giu, bonus: 0 },
  { pattern: /\b[a-z][a-z0-9]{0,60}(?:[A-Z][a-z0-9]{1,40}){1,8}\b/gu, bonus: 0 },
  { pattern: /\b(?:[A-Z][a-z0-9]{1,40}){2,8}\b/gu, bonus: 0 },
];
const LEAST_CHARS = 4;
const LOOKED_AT_CHARS = 32_768;
const MOST_CANDIDATES = 20_000;
/** A piece of base64 looks like a path to a pattern. */
const encoded = /^(?!.*[.~])(?=.*[+])|^(?!.*[.~_-])(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[A-Za-z0-9/]{41,}$/u;
const trailing = /[.,:;!?-]+$/u;

/** What stands in a path anyway: its last part, its last two, … */
function pathEnds(text: string): readonly string[] {
  const parts = text.split('/').slice(0, 20);
  return parts.slice(1).map((_, at) => parts.slice(at + 1).join('/'));
}

/** A huge text is looked at from both ends: this runs on the event loop, and what is needed again rarely stands in the middle of a dump. */
function ends(text: string): string {
  return text.length <= 2 * LOOKED_AT_CHARS ? text : `${text.slice(0, LOOKED_AT_CHARS)}\n${text.slice(-LOOKED_AT_CHARS)}`;
}

interface Seen {
  count: number;
  last: number;
  bonus: number;
}

/** Those of a few short texts, best first. */
export function identifiersIn(texts: readonly string[], most: number): readonly string[] {
  const index = new IdentifierIndex();
  for (const text of texts) index.add(text, 0);
  return index.ranked(most);
}

/** Collects over texts in the order in which they were said. */
export class IdentifierIndex {
  readonly #seen = new Map<string, Seen>();
  #at = 0;

  /** `weight` is how likely a string of this text is needed again: what was typed or asked for counts more than what was printed. */
  add(text: string, weight: number): void {
    this.#at += 1;
    const looked = ends(text);
    for (const { pattern, bonus } of patterns) {
      for (const [found] of looked.matchAll(pattern)) this.#count(found.replace(trailing, ''), bonus + weight);
    }
  }

  /** Best first: seen often, seen late, said by those who asked. Equal ones stand in the order of their text. */
  ranked(most: number): readonly string[] {
    const scored = [...this.#seen].map(([text, seen]) => ({
      text,
      score: 2 * Math.log2(1 + seen.count) + 4 * (seen.last / Math.max(1, this.#at)) + seen.bonus,
    }));
    const best = scored.sort((one, other) => other.score - one.score || (one.text < other.text ? -1 : 1)).map(({ text }) => text);
    const ends = new Set(best.slice(0, most).flatMap(pathEnds));
    return best.filter((text) => !ends.has(text)).slice(0, most);
  }

  #count(text: string, bonus: number): void {
    if ((text.length < LEAST_CHARS && !text.startsWith('#')) || encoded.test(text)) return;
    const seen = this.#seen.get(text);
    if (seen === undefined && this.#seen.size >= MOST_CANDIDATES) return;
    this.#seen.set(text, { count: (seen?.count ?? 0) + 1, last: this.#at, bonus: Math.max(seen?.bonus ?? 0, bonus) });
  }
}
