import { rawCounter } from './encodings.ts';
import type { Encoding } from './encodings.ts';
import { outsidePair, withoutLongRuns } from './runs.ts';

/** Texts up to this many characters (UTF-16 code units) are counted whole. */
export const EXACT_CHARACTERS = 256 * 1024;
/** Above it, one slice of this length out of every {@link SAMPLE_EVERY} is counted. */
export const SLICE_CHARACTERS = 1000;
export const SAMPLE_EVERY = 8;

/** What is counted of a text, and by how much the figure is multiplied. */
export interface Sample {
  readonly slices: readonly string[];
  readonly scale: number;
}

/** Exact for text without runs longer than 1,000 characters; such runs are counted in slices. Time is linear. */
export function countExactly(text: string, encoding: Encoding): number {
  const count = rawCounter(encoding);
  return withoutLongRuns(text).reduce((sum, piece) => sum + count(piece), 0);
}

/** The whole text up to `exactCharacters`, every eighth slice of a longer one. No slice begins or ends inside a surrogate pair. */
export function sampleOf(text: string, exactCharacters: number = EXACT_CHARACTERS): Sample {
  if (text.length <= exactCharacters) return { slices: [text], scale: 1 };
  const slices: string[] = [];
  for (let from = 0; from < text.length; from += SLICE_CHARACTERS * SAMPLE_EVERY) {
    slices.push(text.slice(outsidePair(text, from), outsidePair(text, Math.min(text.length, from + SLICE_CHARACTERS))));
  }
  return { slices, scale: text.length / slices.reduce((sum, slice) => sum + slice.length, 0) };
}

/** Tokens of a sample's text as a whole. */
export const scaled = (sample: Sample, counted: number): number => Math.round(counted * sample.scale);

/** Tokens of `text`: exact up to `exactCharacters`, scaled up from a sample above. Synchronous; loads the encoding when it is the first. */
export function countTokens(text: string, encoding: Encoding, exactCharacters: number = EXACT_CHARACTERS): number {
  const sample = sampleOf(text, exactCharacters);
  return scaled(
    sample,
    sample.slices.reduce((sum, slice) => sum + countExactly(slice, encoding), 0),
  );
}
