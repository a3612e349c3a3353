/**
 * Text of others for a terminal: no control character is left that could move the cursor, set a colour or a title. Line breaks and tabs stay.
 * Pure, and the same for a text in pieces: what remains of an escape sequence is harmless.
 */
export function clean(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '');
}

/** The same for a cell or a line of its own: what breaks lines is a blank. */
export function cleanLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
