/**
 * Finds stretches of encoded bytes (base64 and the like): text whose letters say nothing, so that the rates of words do not hold.
 */
import { DIGIT, LOWER, scriptOf, UPPER } from './scripts.ts';

/** Shorter stretches cost about what words do. */
const SHORTEST = 32;
/** Longest stretch looked at in one go; the next one begins where it ends. */
const LONGEST = 4096;
const LEAST_UPPER = 0.12;
const LEAST_LOWER = 0.03;
/** Changes between letters and digits, and capitals after capitals, per character. Names have fewer. */
const LEAST_MIXING = 0.12;

export interface Stretch {
  readonly to: number;
  readonly encoded: boolean;
}

const PLUS = 0x2b;
const SLASH = 0x2f;

/** Letters, digits, `+` and `/`. */
const belongs: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const script = scriptOf[unit];
  return script === LOWER || script === UPPER || script === DIGIT || unit === PLUS || unit === SLASH ? 1 : 0;
});

/** What the text is from `from` on, up to `to`. */
export function stretchAt(text: string, from: number): Stretch {
  // Looked at from behind: most text has a break within reach, and everything before it is too short then.
  for (let at = from + SHORTEST - 1; at >= from; at--) if (belongs[text.charCodeAt(at)] !== 1) return { to: at + 1, encoded: false };
  return measured(text, from);
}

function measured(text: string, from: number): Stretch {
  let to = from;
  let upper = 0;
  let lower = 0;
  let mixed = 0;
  let before = 0;
  for (const end = Math.min(text.length, from + LONGEST); to < end && belongs[text.charCodeAt(to)] === 1; to++) {
    const script = scriptOf[text.charCodeAt(to)] ?? 0;
    if (script === UPPER) upper++;
    else if (script === LOWER) lower++;
    if ((script === DIGIT) !== (before === DIGIT) || (script === UPPER && before === UPPER)) mixed++;
    before = script;
  }
  const length = to - from;
  return { to, encoded: upper >= length * LEAST_UPPER && lower >= length * LEAST_LOWER && mixed >= length * LEAST_MIXING };
}
