/** The one line that stands for a tool result. Pure; never throws. */
import type { Json } from '@palimpsest/contracts';
import type { Part } from './parts.ts';
import { lineCount } from './text-window.ts';

/** `instead` is why it went: absent for one that is only old. */
export function stubOf(part: Part, instead?: string): string {
  const facts = [
    `${part.tool ?? 'tool'}${digestOf(part.input)}`,
    stateOf(part),
    sizeOf(part.original),
    ...edgesOf(part.original),
    `${instead ?? 'shortened to save room'}; the session log has it in full`,
  ];
  return `[${facts.join(' | ')}]`;
}

export function pointerOf(part: Part, newer: Part): string {
  const same = `the same ${String(part.original.length)} characters as the later result of call ${newer.part ?? ''}`;
  return `[${part.tool ?? 'tool'}${digestOf(part.input)} | ${same}]`;
}

/** Shown shorter for good: a stub or a pointer. A window was made for want of room while it was new, and may still become a stub. */
export function isReduced(part: Part): boolean {
  return part.inForce !== null && part.inForce.reason !== 'windowed';
}

/** The telling argument, else the first two. */
export function digestOf(input: Json): string {
  if (input === null || typeof input !== 'object') return input === null ? '' : ` ${oneLine(String(input), 80)}`;
  const entries = Object.entries(input);
  const only = entries.length === 1 ? entries[0] : undefined;
  if (only !== undefined) return ` ${oneLine(shortJson(only[1]), 80)}`;
  return entries
    .slice(0, 2)
    .map(([key, value]) => ` ${oneLine(key, 24)}=${oneLine(shortJson(value), 40)}`)
    .join('');
}

function shortJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function stateOf(part: Part): string {
  const code = /\b(?:exit(?:ed)?(?:[ _]with)?[ _]?(?:code|status)?|exitCode|returncode)["']?\s*[:=]?\s*(-?\d{1,3})\b/iu.exec(
    `${part.original.slice(0, 400)}\n${part.original.slice(-400)}`,
  );
  if (code?.[1] !== undefined) return part.failed ? `error, exit ${code[1]}` : `exit ${code[1]}`;
  return part.failed ? 'error' : 'ok';
}

function sizeOf(text: string): string {
  return `${String(lineCount(text))} lines, ${String(text.length)} characters`;
}

function edgesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first, last] = [lines.at(0), lines.at(-1)];
  if (first === undefined) return [];
  return first === last ? [`text: ${oneLine(first, 100)}`] : [`first: ${oneLine(first, 100)}`, `last: ${oneLine(last ?? '', 100)}`];
}

/** Collapsed to one line of at most `length` characters. */
function oneLine(text: string, length: number): string {
  const flat = text
    .slice(0, length * 4)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const characters = Array.from(flat);
  return characters.length <= length ? flat : `${characters.slice(0, length).join('')}…`;
}
