/** Events for the screen. Most repeat an item; where no item does, they are all there is. */
import type { AssistantPart, Json, ToolOutput, Usage, UserPart } from '@palimpsest/contracts';
import { countOf, has, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { listTexts } from './items.ts';
import { userContent } from '../openai/content.ts';

/** What an event says, and who; null: it says nothing of a message. */
export function eventText(event: JsonObject): { readonly by: 'user' | 'model' | 'thought' | 'tool'; readonly text: string } | null {
  switch (event['type']) {
    case 'user_message':
      return { by: 'user', text: textOf(event['message']) ?? '' };
    case 'agent_message':
      return { by: 'model', text: textOf(event['message']) ?? '' };
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return { by: 'thought', text: textOf(event['text']) ?? '' };
    case 'item_completed':
      return itemText(objectOf(event['item']));
    default:
      return null;
  }
}

const typeName = (item: JsonObject): string => (nameOf(item['type']) ?? '').replaceAll('_', '').toLowerCase();

function itemText(item: JsonObject | null): ReturnType<typeof eventText> {
  if (item === null) return null;
  const said = listTexts(item['content']).join('\n') || (textOf(item['text']) ?? '');
  switch (typeName(item)) {
    case 'usermessage':
      return { by: 'user', text: said };
    case 'agentmessage':
      return { by: 'model', text: said };
    case 'reasoning':
      return { by: 'thought', text: thoughtOf(item) };
    default:
      return tools.has(typeName(item)) ? { by: 'tool', text: `id ${nameOf(item['id']) ?? ''}` } : null;
  }
}

const thoughtOf = (item: JsonObject): string =>
  ['summary_text', 'summary', 'raw_content', 'content', 'text'].map((key) => listTexts(item[key]).join('\n')).find((text) => text !== '') ??
  '';

/** Old events say of injected text what it is: such a text was not typed. */
export const isTyped = (event: JsonObject): boolean => [null, 'plain'].includes(nameOf(event['kind']));

/** The content of a user's event: text, and pictures as data addresses. */
export function askedContent(event: JsonObject): UserPart[] {
  const item = objectOf(event['item']);
  const texts = eventText(event)?.text ?? '';
  const images =
    item === null ? (listOf(event['images']) ?? []) : (listOf(item['content']) ?? []).map((part) => objectOf(part)?.['image_url'] ?? null);
  const pictures = images.filter((url) => typeof url === 'string').map((url): Json => ({ type: 'input_image', image_url: url }));
  return userContent([{ type: 'input_text', text: texts }, ...pictures]).content;
}

/** What the model's event adds to its message, and the result where the item was a tool's. */
export function toldParts(event: JsonObject, at: number): { readonly parts: AssistantPart[]; readonly answer: ToolOutput | null } {
  const said = eventText(event);
  const item = objectOf(event['item']) ?? {};
  if (said?.by === 'tool') {
    const toolCallId = nameOf(item['id']) ?? `call-${String(at)}`;
    const { id: _id, type: _type, status: _status, ...rest } = item;
    const input = Object.fromEntries(Object.entries(rest).filter(([key]) => !OUTCOMES.has(key)));
    const part: AssistantPart = { type: 'tool-call', toolCallId, toolName: tools.get(typeName(item)) ?? 'unknown', input };
    return { parts: [part], answer: outcomeOf(item) };
  }
  const text = said?.text ?? '';
  if (text.trim() === '') return { parts: [], answer: null };
  return { parts: [{ type: said?.by === 'thought' ? 'reasoning' : 'text', text }], answer: null };
}

/** Items of tools, where a thread's history keeps nothing else of them. */
const tools = new Map([
  ['commandexecution', 'shell'],
  ['filechange', 'apply_patch'],
  ['mcptoolcall', 'mcp'],
  ['dynamictoolcall', 'tool'],
  ['websearch', 'web_search'],
]);
const OUTCOMES = new Set([
  'aggregated_output',
  'aggregatedOutput',
  'exit_code',
  'exitCode',
  'duration_ms',
  'durationMs',
  'result',
  'error',
  'stdout',
  'stderr',
]);

function outcomeOf(item: JsonObject): ToolOutput | null {
  const text = textOf(item['aggregated_output']) ?? textOf(item['aggregatedOutput']) ?? textOf(item['result']);
  const failed = item['status'] === 'failed' || item['status'] === 'declined';
  if (text !== null) return { type: failed ? 'error-text' : 'text', value: text };
  const kept = item['result'] ?? item['error'] ?? null;
  if (kept !== null) return { type: failed ? 'error-text' : 'text', value: stringify(kept) };
  const status = nameOf(item['status']);
  return status === null || status === 'in_progress' || status === 'inProgress'
    ? null
    : { type: failed ? 'error-text' : 'text', value: status };
}

/** Null: nothing was recorded. The input holds the cached tokens, the output the reasoning. */
export function usageOf(event: JsonObject): { readonly usage: Usage; readonly total: string } | null {
  const info = objectOf(event['info']);
  const last = objectOf(info?.['last_token_usage']);
  if (info === null || last === null) return null;
  const cacheRead = countOf(last['cached_input_tokens']) || countOf(objectOf(last['input_tokens_details'])?.['cached_tokens']);
  const usage = {
    input: Math.max(0, countOf(last['input_tokens']) - cacheRead),
    output: countOf(last['output_tokens']),
    cacheRead,
    cacheWrite: countOf(last['cache_write_input_tokens']),
    reasoning: countOf(last['reasoning_output_tokens']),
  };
  if (usage.input + usage.output + usage.cacheRead === 0) return null;
  return { usage, total: stringify(has(info, 'total_token_usage') ? (info['total_token_usage'] ?? null) : last) };
}
