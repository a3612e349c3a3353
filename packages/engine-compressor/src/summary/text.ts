/** Bounded, clean text of message parts. Nothing here throws, whatever a part holds. */
import type { Json, ToolOutput } from '@palimpsest/contracts';
import { redact } from './redact.ts';

/** Of one part this much is read from its start and its end, in UTF-16 units. */
const HEAD_CHARS = 24_000;
const TAIL_CHARS = 8_000;

/** Redacted before anything is cut, so that no cut leaves half a secret. */
export function readable(text: string): string {
  return text.length <= HEAD_CHARS + TAIL_CHARS ? redact(text) : `${redact(text.slice(0, HEAD_CHARS))}\n${redact(text.slice(-TAIL_CHARS))}`;
}

/** One line of at most `maxChars`, cut between characters. */
export function oneLine(text: string, maxChars: number): string {
  const line = text
    .trimStart()
    .slice(0, maxChars * 4)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  return `${/[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut}…`;
}

export function outputText(output: ToolOutput): string {
  if (output.type === 'content') return output.value.map((item) => (item.type === 'text' ? item.text : '[image]')).join('\n');
  return typeof output.value === 'string' ? output.value : jsonText(output.value);
}

export function isError(output: ToolOutput): boolean {
  return output.type === 'error-text' || output.type === 'error-json';
}

export function jsonText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

/** The mark of a list at the beginning: a summary writes its own. */
const LIST_MARKS = /^(?:[-*•] )+/u;

/** The first sentences, up to `maxChars`. */
export function opening(text: string, maxChars: number): string {
  const line = oneLine(text, maxChars * 2).replace(LIST_MARKS, '');
  if (line.length <= maxChars) return line;
  const end = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((mark) => line.lastIndexOf(mark, maxChars - 2)));
  return end > maxChars / 3 ? line.slice(0, end + 1) : oneLine(line, maxChars);
}
