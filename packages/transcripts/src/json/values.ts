/** Looking into parsed JSON without trusting it. */
import { isTooDeep, type Json } from '@palimpsest/contracts';

export type JsonObject = { [key: string]: Json };
type Maybe = Json | undefined;

export const objectOf = (value: Maybe): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
export const listOf = (value: Maybe): Json[] | null => (Array.isArray(value) ? value : null);
export const textOf = (value: Maybe): string | null => (typeof value === 'string' ? value : null);
/** A string that names something: not empty. */
export const nameOf = (value: Maybe): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** Recorded tokens: a whole number from 0, 0 for anything else. */
export const countOf = (value: Maybe): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0);
export const isBlank = (text: string): boolean => text.trim() === '';
/** Own property only: keys come from files, `constructor` is one like any other. */
export const has = (value: JsonObject, key: string): boolean => Object.hasOwn(value, key);

/** @throws SyntaxError. */
export const parse = (text: string): Json => JSON.parse(text) as Json;
/** Undefined: no JSON. */
export function tryParse(text: string): Json | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
/** A value written as text inside another one. Undefined: no JSON, or nested too deep; then it stays text. */
export function parseText(text: string): Json | undefined {
  const value = tryParse(text);
  return value === undefined || isTooDeep(value) ? undefined : value;
}
/** The text of a value, also of one nested too deep to be written: then a short stand-in. */
export function stringify(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '"[nested too deep]"';
  }
}
