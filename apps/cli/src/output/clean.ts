/**
 * Text of others for a terminal: no control character is left that could move the cursor, set a colour or a title. Line breaks and tabs stay.
 * Pure, and the same for a text in pieces: what remains of an escape sequence is harmless.
 */
export function clean(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '');
}

/** The same for a cell or a line of its own: every control character, line breaks too, is a blank. */
export function cleanLine(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** JSON as it may stand on a terminal, which takes some of the characters above ASCII for controls, too. */
export function cleanJson(text: string): string {
  return text.replace(/[\u007f-\u009f]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
