/** A record of each era in one form: its type, and what it carries. */
import { has, nameOf, objectOf, type JsonObject } from '../json/values.ts';

export interface Unwrapped {
  readonly type: string;
  readonly payload: JsonObject;
  /** Where the payload stands in the record. */
  readonly path: readonly string[];
}

const ITEM_TYPES = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'tool_search_call',
  'tool_search_output',
  'web_search_call',
  'image_generation_call',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
  'additional_tools',
  'agent_message',
  'ghost_snapshot',
]);
const ENVELOPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

/** Null: the inside is broken. Before the envelope came, items stood bare behind a header without type; the newest ones do again. */
export function unwrap(value: JsonObject): Unwrapped | null {
  const type = nameOf(value['type']);
  if (type === null) {
    if (has(value, 'record_type')) return { type: 'state', payload: value, path: [] };
    return has(value, 'id') && has(value, 'timestamp') ? { type: 'session_meta', payload: value, path: [] } : null;
  }
  if (ITEM_TYPES.has(type) && !has(value, 'payload')) return { type: 'response_item', payload: value, path: [] };
  const payload = objectOf(value['payload']);
  if (payload === null) return ENVELOPES.has(type) ? null : { type, payload: value, path: [] };
  return { type, payload, path: ['payload'] };
}

export const isHeader = (value: JsonObject): boolean => unwrap(value)?.type === 'session_meta';

export function kindOf(value: JsonObject): string {
  const found = unwrap(value);
  if (found === null) return nameOf(value['type']) ?? '?';
  const inner = nameOf(found.payload['type']);
  if (found.type !== 'response_item' && found.type !== 'event_msg') return found.type;
  const role = inner === 'message' ? `/${nameOf(found.payload['role']) ?? '?'}` : '';
  return `${found.type}/${inner ?? '?'}${role}`;
}

/** Shape of a record, for the search behind a cut-off one: its payload alone is none. */
export const isRecord = (value: JsonObject): boolean =>
  nameOf(value['type']) !== null &&
  has(value, 'timestamp') &&
  (objectOf(value['payload']) !== null || ITEM_TYPES.has(nameOf(value['type']) ?? ''));
