/** Controls, and the marks, embeddings, overrides and isolates of bidirectional text; line breaks and tabs are none of them. */
const OBEYED = /[^\P{Cc}\n\t]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A text as it may stand on a terminal: what a terminal would obey, or what would turn the order of a line around, is shown by its number, so that nothing is
 * done and nothing is hidden. In JSON it is the same text to whoever parses it. Pure.
 */
export function inert(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
