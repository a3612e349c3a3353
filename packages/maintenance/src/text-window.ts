/** A long text as its head and its tail with a gap's text between them, sized in tokens. Pure. */

/** Says how much is left out; stands between head and tail. */
export type GapText = (leftOut: { readonly characters: number; readonly lines: number }) => string;

const HEAD_SHARE = 0.6;
/** First guess; the loop corrects it. */
const CHARACTERS_PER_TOKEN = 3.5;
/** A longer text is not counted to see whether it fits as it is. */
const MOST_CHARACTERS_PER_TOKEN = 8;
const ROUNDS = 6;

/**
 * At most `maxTokens` by `tokensOf`, unless the gap's text alone is more: then that alone. The text itself when it fits.
 * Never cuts a surrogate pair; cuts at a line break when one is near.
 */
export function windowOf(text: string, maxTokens: number, gapText: GapText, tokensOf: (text: string) => number): string {
  if (text.length <= maxTokens * MOST_CHARACTERS_PER_TOKEN && tokensOf(text) <= maxTokens) return text;
  let characters = Math.floor(maxTokens * CHARACTERS_PER_TOKEN);
  let best: string | null = null;
  for (let round = 0; round < ROUNDS && characters > 0; round += 1) {
    const cut = cutTo(text, characters, gapText);
    const tokens = tokensOf(cut);
    if (tokens <= maxTokens && cut.length > (best?.length ?? -1)) best = cut;
    if (tokens <= maxTokens && tokens > maxTokens * 0.93) break;
    characters = Math.floor(characters * Math.min(4, (maxTokens / Math.max(1, tokens)) * 0.97));
  }
  return best ?? cutTo(text, 0, gapText);
}

/** Head and tail of `characters` in all, or the text itself when it is not longer. */
export function cutTo(text: string, characters: number, gapText: GapText): string {
  if (text.length <= characters) return text;
  const head = headOf(text, Math.ceil(characters * HEAD_SHARE));
  const tail = tailOf(text, Math.floor(characters * (1 - HEAD_SHARE)));
  const leftOut = text.slice(head.length, text.length - tail.length);
  return `${head}${gapText({ characters: leftOut.length, lines: lineCount(leftOut) })}${tail}`;
}

export function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The first `length` characters or a little less: whole lines when a break is near, never half a surrogate pair. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const breakAt = text.lastIndexOf('\n', length - 1);
  const end = breakAt >= 0 && length - breakAt <= Math.max(40, length * 0.15) && breakAt > 0 ? breakAt : length;
  return text.slice(0, isInsidePair(text, end) ? end - 1 : end);
}

export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.length - length;
  const breakAt = text.indexOf('\n', from);
  const start = breakAt >= 0 && breakAt - from <= Math.max(40, length * 0.15) && breakAt < text.length - 1 ? breakAt + 1 : from;
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

function isInsidePair(text: string, at: number): boolean {
  return /[\uD800-\uDBFF]/u.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/u.test(text.charAt(at));
}
