/** Text as providers take it: well-formed UTF-16 without NUL. The log keeps the original. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed();
  return formed.includes('\u0000') ? formed.replaceAll('\u0000', '\uFFFD') : formed;
}

/** True when a provider would refuse the text as empty. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}
