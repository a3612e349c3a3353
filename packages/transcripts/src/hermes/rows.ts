/** One row of the messages table, as exports write it. */
import type { Json } from '@palimpsest/contracts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, parseText, type JsonObject } from '../json/values.ts';

const MARKS = ['\u0000json:', '\u0001json:'];
/** Content of several parts is text behind a prefix of one control character. */
export function contentOf(row: JsonObject): Json {
  const { content } = row;
  if (typeof content !== 'string') return content ?? null;
  const mark = MARKS.find((one) => content.startsWith(one));
  return mark === undefined ? content : (parseText(content.slice(mark.length)) ?? content);
}

/** Lists are JSON text in the database, and lists in some exports. */
export function listIn(value: Json | undefined): Json[] {
  if (typeof value === 'string') {
    const parsed = parseText(value);
    return listOf(parsed) ?? (objectOf(parsed) === null || parsed === undefined ? [] : [parsed]);
  }
  return listOf(value) ?? [];
}

/** False: text that should be a list and cannot be read as one. */
export const isListText = (value: Json | undefined): boolean =>
  typeof value !== 'string' || isBlank(value) || parseText(value) !== undefined;

export const plainText = (content: Json): string =>
  typeof content === 'string' ? content : (listOf(content) ?? []).map((part) => textOf(objectOf(part)?.['text']) ?? '').join('\n');

const isSet = (value: Json | undefined): boolean => value === true || value === 1 || value === '1';
const isUnset = (value: Json | undefined): boolean => value === false || value === 0 || value === '0';

/** Undone by the user; rows that a summary replaced in place are history like any other. */
export const isRewound = (row: JsonObject): boolean => isUnset(row['active']) && !isSet(row['compacted']);
/** Heard in a group, not addressed to the agent. */
export const isOverheard = (row: JsonObject): boolean => isSet(row['observed']);

const SUMMARY = /^\s*\[(?:CONTEXT COMPACTION|CONTEXT SUMMARY|PRIOR CONTEXT)\b/u;
export const isSummary = (row: JsonObject): boolean => {
  const flag = row['_compressed_summary'];
  return isSet(flag) || (typeof flag === 'string' && !isBlank(flag) && flag !== '0') || SUMMARY.test(plainText(contentOf(row)));
};

/** Prompts of the harness in role user. */
const HARNESS = [
  /^\s*Review the conversation above and (?:consider|update|save)/u,
  /^\s*Review the conversation above\b[\s\S]*\b(?:memory|memories|skills?)\b/u,
  /^\s*\[System(?: note)?:/u,
];
export const isHarness = (text: string): boolean => HARNESS.some((pattern) => pattern.test(text));

/** What makes a row a copy of another one. */
export const markOf = (row: JsonObject): string =>
  stringify([
    nameOf(row['role']),
    contentOf(row),
    textOf(row['tool_call_id']),
    listIn(row['tool_calls']).map((call) => nameOf(objectOf(call)?.['id'])),
  ]);
