/** Blocks of characters that take two columns of a terminal, beside those that are emoji by themselves. */
const DOUBLE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;

function columnsOfCharacter(character: string): number {
  if (character <= '~') return 1;
  return NONE.test(character) ? 0 : DOUBLE.test(character) ? 2 : 1;
}

/** Columns that a text takes on a terminal. */
export function wide(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}

/** To at most `columns`, with an ellipsis where something is missing. */
export function cut(text: string, columns: number): string {
  if (wide(text) <= columns) return text;
  let left = columns - 1;
  const end = [...text].findIndex((character) => (left -= columnsOfCharacter(character)) < 0);
  return `${[...text].slice(0, Math.max(0, end)).join('')}…`;
}
