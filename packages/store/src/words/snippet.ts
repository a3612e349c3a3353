import { folded } from './words.ts';

const SNIPPET_UNITS = 400;
const LEAD_UNITS = 100;
/** Looking for accents letter by letter stops here. */
const MOST_FOLDED_UNITS = 1 << 18;

/** At most 400 characters around the first place of the first needle that occurs; the beginning where none does. */
export function snippetOf(text: string, needles: readonly string[]): string {
  const at = Math.max(0, placeOf(text, needles) - LEAD_UNITS);
  const start = halfOfPair(text, at) ? at + 1 : at;
  const end = start + SNIPPET_UNITS;
  return text.slice(start, halfOfPair(text, end) ? end - 1 : end);
}

function placeOf(text: string, needles: readonly string[]): number {
  const lower = text.toLowerCase();
  if (lower.length === text.length) {
    const needle = needles.find((candidate) => lower.includes(candidate));
    if (needle !== undefined) return lower.indexOf(needle);
  }
  const plain = Array.from(text.slice(0, MOST_FOLDED_UNITS).normalize('NFC').split(''), (unit) => folded(unit).charAt(0) || unit).join('');
  return Math.max(0, ...needles.slice(0, 1).map((needle) => plain.indexOf(folded(needle))));
}

/** Whether a cut here would part a surrogate pair. */
function halfOfPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
