/** Arguments made smaller inside their structure: JSON stays JSON. Pure. */
import type { Json } from '@palimpsest/contracts';
import { cutTo } from './text-window.ts';

/** Longest string leaf, in characters, and most members of an array or object. */
export interface JsonLimits {
  readonly leaf: number;
  readonly members: number;
  readonly depth: number;
}

const MARK = '…';

/** The same shape with long leaves cut and long lists ended, each with a mark that says how much is left out. */
export function shrunkJson(value: Json, limits: JsonLimits): Json {
  if (typeof value === 'string') return shrunkText(value, limits.leaf);
  if (value === null || typeof value !== 'object') return value;
  if (limits.depth <= 0) return `${MARK}[${String(JSON.stringify(value).length)} characters left out]`;
  const inner = { ...limits, depth: limits.depth - 1 };
  return Array.isArray(value) ? shrunkArray(value, inner) : shrunkObject(value, inner);
}

function shrunkText(text: string, characters: number): string {
  const cut = cutTo(text, characters, (leftOut) => ` ${MARK}[${String(leftOut.characters)} characters left out]${MARK} `);
  return cut.length < text.length ? cut : text;
}

function shrunkArray(value: Json[], limits: JsonLimits): Json {
  const kept = value.slice(0, limits.members).map((item) => shrunkJson(item, limits));
  return value.length <= limits.members ? kept : [...kept, `${MARK}[${String(value.length - limits.members)} more left out]`];
}

function shrunkObject(value: { [key: string]: Json }, limits: JsonLimits): Json {
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, limits.members)
    .map(([key, item]): [string, Json] => [shrunkText(key, Math.max(limits.leaf, 80)), shrunkJson(item, limits)]);
  const rest = entries.length - kept.length;
  return Object.fromEntries(rest === 0 ? kept : [...kept, [MARK, `${String(rest)} more left out`]]);
}

const WIDE: JsonLimits = { leaf: 1 << 20, members: 4_096, depth: 24 };

/**
 * JSON text of at most `maxTokens` where that can be done: leaves and lists are halved until it fits. At last an object that only
 * says how much was left out.
 */
export function jsonWindow(value: Json, maxTokens: number, tokensOf: (text: string) => number): string {
  const whole = JSON.stringify(value);
  if (tokensOf(whole) <= maxTokens) return whole;
  for (let limits = firstLimits(whole.length, maxTokens); limits.leaf >= 16; limits = halved(limits)) {
    const text = JSON.stringify(shrunkJson(value, limits));
    if (text.length < whole.length && tokensOf(text) <= maxTokens) return text;
  }
  return JSON.stringify({ [MARK]: `${String(whole.length)} characters of arguments left out; the session log has them` });
}

/** No leaf longer than the room is worth trying: tokens are rarely more than eight characters. */
function firstLimits(characters: number, maxTokens: number): JsonLimits {
  const leaf = Math.min(WIDE.leaf, characters, Math.max(16, maxTokens * 8));
  return { leaf, members: Math.max(4, Math.min(WIDE.members, leaf)), depth: WIDE.depth };
}

function halved({ leaf, members, depth }: JsonLimits): JsonLimits {
  return { leaf: Math.floor(leaf * 0.7), members: Math.max(4, Math.floor(members * 0.7)), depth: Math.max(3, depth - 1) };
}
