/**
 * An engine's answer within its tokens: as it is, or its beginning and a notice of what is missing. The notice alone when there is room for
 * nothing else. Pure.
 */
export function answerWithin(text: string, maxTokens: number, tokensOf: (text: string) => number): string {
  const tokens = tokensOf(text);
  if (tokens <= maxTokens) return text;
  const notice = `[cut here: the answer has ${String(tokens)} tokens, and at most ${String(maxTokens)} are shown]`;
  for (let length = Math.floor((text.length * maxTokens) / tokens); length > 0; length = Math.floor(length * 0.9)) {
    const cut = `${head(text, length)}\n${notice}`;
    if (tokensOf(cut) <= maxTokens) return cut;
  }
  return notice;
}

/** Never half a surrogate pair. */
function head(text: string, length: number): string {
  return text.slice(0, /[\ud800-\udbff]/u.test(text.charAt(length - 1)) ? length - 1 : length);
}
