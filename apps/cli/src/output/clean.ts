/**
 * Characters that a terminal obeys, or that make a line read in another order than it is written: controls, and the marks, embeddings, overrides and
 * isolates of bidirectional text. They are shown by their number, so that nothing is hidden and nothing is done.
 */
const OBEYED = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const shown = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Text of others for a terminal. Line breaks and tabs stay; of a line break in two characters, the second.
 * Pure, and the same for a text in pieces that are not cut inside a line break.
 */
export function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(OBEYED, (character) => (character === '\n' || character === '\t' ? character : shown(character)));
}

/** The same for a cell or a line of its own: line breaks and tabs are blanks. */
export function cleanLine(text: string): string {
  return text.replace(/\r\n|[\n\t\u2028\u2029\u0085]/gu, ' ').replace(OBEYED, shown);
}

/** JSON as it may stand on a terminal: the same text to whoever parses it. */
export function cleanJson(text: string): string {
  return text.replace(OBEYED, (character) => (character === '\n' ? character : shown(character)));
}
