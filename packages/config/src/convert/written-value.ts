/** Values as lenient programs write them: `"0.6"` for a number, `off` for false, `1_000` for a thousand. */
import type { Located } from '../located.ts';

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** Null: no truth value in any of the usual spellings. */
export function writtenBoolean(node: Located): boolean | null {
  if (node.kind !== 'scalar' || node.value === null) return null;
  const word = String(node.value).trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}

/** Null: no number. */
export function writtenNumber(node: Located): number | null {
  if (node.kind !== 'scalar') return null;
  if (typeof node.value === 'number') return node.value;
  if (typeof node.value !== 'string' || !/^\s*[+-]?(\d[\d_]*)(\.\d+)?\s*$/u.test(node.value)) return null;
  return Number(node.value.replaceAll('_', ''));
}

/** Null: no text, or none but spaces. */
export function writtenText(node: Located | null): string | null {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return null;
  const text = node.value.trim();
  return text === '' ? null : text;
}

/** A text that stands for itself, whatever `${env:…}` it holds. */
export const literal = (text: string): string => text.replaceAll('${env:', () => '$${env:');
