/** JSON documents by their keys and first elements. The first row that fits wins. */
import type { Json } from '@palimpsest/contracts';
import { has, listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import { firstOf, read, refused, type Row, type Verdict } from './verdict.ts';

/** The document, its lists possibly cut to their first elements. */
interface Seen {
  readonly object: JsonObject;
  readonly isList: boolean;
  readonly elements: readonly JsonObject[];
}

const LOOK_AT = 40;
const objects = (value: Json | undefined): JsonObject[] =>
  (listOf(value) ?? [])
    .slice(0, LOOK_AT)
    .map(objectOf)
    .filter((one) => one !== null);
const every = (elements: readonly JsonObject[], test: (one: JsonObject) => boolean): boolean => elements.length > 0 && elements.every(test);
const messages = ({ object, isList, elements }: Seen): readonly JsonObject[] => (isList ? elements : objects(object['messages']));
const blockTypes = (elements: readonly JsonObject[]): string[] =>
  elements.flatMap((one) => objects(one['content']).map((block) => nameOf(block['type']) ?? ''));
const holds = (elements: readonly JsonObject[], ...types: string[]): boolean => blockTypes(elements).some((type) => types.includes(type));
const roles =
  (...names: string[]) =>
  (one: JsonObject): boolean =>
    names.includes(nameOf(one['role']) ?? '');
const chatRole = roles('system', 'developer', 'user', 'assistant', 'tool', 'function');
const count = (object: JsonObject, ...keys: string[]): number => keys.filter((key) => has(object, key)).length;
const isObject =
  (test: (object: JsonObject) => boolean) =>
  ({ object, isList }: Seen): boolean =>
    !isList && test(object);
const isListOf =
  (test: (elements: readonly JsonObject[]) => boolean) =>
  ({ elements, isList }: Seen): boolean =>
    isList && test(elements);

const isOpenCode = (object: JsonObject): boolean =>
  objects(object['messages']).some(
    (one) =>
      (has(one, 'parts') && /^(ses_|msg_)/u.test(`${textOf(objectOf(one['info'])?.['id']) ?? ''}`)) ||
      has(objectOf(one['info']) ?? {}, 'sessionID'),
  );
/** Messages with parts; a list may hold older ones, with content, beside them. */
const isUi = (elements: readonly JsonObject[]): boolean =>
  elements.some((one) => listOf(one['parts']) !== null || listOf(one['toolInvocations']) !== null) &&
  every(elements, (one) => roles('system', 'user', 'assistant', 'data')(one) && (listOf(one['parts']) !== null || has(one, 'content')));
const isHermes = (doc: JsonObject): boolean =>
  listOf(doc['messages']) !== null && count(doc, 'source', 'started_at', 'model_config', 'parent_session_id', 'end_reason') >= 2;
/** Texts that only Cline and its forks write. */
const isCline = (elements: readonly JsonObject[]): boolean => {
  const texts = elements
    .filter(roles('user'))
    .flatMap((one) =>
      typeof one['content'] === 'string' ? [one['content']] : objects(one['content']).map((block) => textOf(block['text']) ?? ''),
    );
  return (
    elements.some(roles('user', 'assistant')) &&
    (texts[0]?.trimStart().startsWith('<task>') === true || texts.some((text) => text.includes('<environment_details>')))
  );
};
const ANTHROPIC_BLOCKS = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use', 'mcp_tool_use', 'compaction'];
const hasAnthropicBlocks = (elements: readonly JsonObject[]): boolean => holds(elements, ...ANTHROPIC_BLOCKS);
/** A request body, or a response by itself. Chat bodies have `max_tokens` and `tools` as well. */
const isAnthropic = (doc: JsonObject): boolean =>
  (doc['type'] === 'message' && doc['role'] === 'assistant' && listOf(doc['content']) !== null) ||
  (has(doc, 'max_tokens') &&
    listOf(doc['messages']) !== null &&
    (has(doc, 'system') ||
      objects(doc['tools']).some((tool) => has(tool, 'input_schema')) ||
      hasAnthropicBlocks(objects(doc['messages']))));
const isResponses = (doc: JsonObject): boolean =>
  listOf(doc['messages']) === null &&
  ((has(doc, 'input') && (has(doc, 'model') || has(doc, 'instructions'))) ||
    (doc['object'] === 'response' && listOf(doc['output']) !== null));
const isAiSdk = (elements: readonly JsonObject[]): boolean =>
  holds(elements, 'tool-call', 'tool-result', 'reasoning') ||
  elements.some((one) => one['role'] === 'tool' && listOf(one['content']) !== null && nameOf(one['tool_call_id']) === null);

const rows: readonly Row<Seen>[] = [
  {
    verdict: read('codex'),
    test: isObject((doc) => has(objectOf(doc['session']) ?? {}, 'id') && listOf(doc['items']) !== null),
  },
  {
    verdict: read('gemini-cli'),
    test: isObject((doc) => has(doc, 'sessionId') && has(doc, 'projectHash') && listOf(doc['messages']) !== null),
  },
  {
    verdict: read('gemini-cli'),
    test: ({ object, isList, elements }) =>
      every(
        isList ? elements : objects(object['history']),
        (one) =>
          !roles('system', 'assistant')(one) && listOf(one['parts']) !== null && !objects(one['parts']).some((part) => has(part, 'type')),
      ),
  },
  {
    verdict: read('swe-agent'),
    test: isObject(
      (doc) =>
        ((has(doc, 'trajectory') || has(doc, 'environment')) &&
          objects(doc['history']).some((one) => has(one, 'role') && count(one, 'agent', 'message_type', 'content') > 0)) ||
        objects(doc['trajectory']).some((one) => has(one, 'observation') && count(one, 'action', 'response') > 0),
    ),
  },
  {
    verdict: read('mini-swe-agent'),
    test: isObject(
      (doc) =>
        nameOf(doc['trajectory_format'])?.startsWith('mini-swe-agent') === true ||
        (listOf(doc['messages']) !== null && has(objectOf(doc['info']) ?? {}, 'model_stats')),
    ),
  },
  { verdict: read('tau-bench'), test: isListOf((elements) => elements.some((one) => listOf(one['traj']) !== null)) },
  { verdict: read('opencode'), test: isObject((doc) => has(doc, 'info') && isOpenCode(doc)) },
  {
    verdict: read('hermes'),
    test: ({ object, isList, elements }) => (isList ? elements.slice(0, 1) : [object]).some(isHermes),
  },
  { verdict: read('goose'), test: isObject((doc) => has(doc, 'working_dir') && listOf(doc['conversation']) !== null) },
  {
    verdict: refused('A Cline compaction state'),
    test: isObject((doc) => has(doc, 'source_message_count')),
  },
  {
    verdict: read('cline'),
    test: isObject((doc) => has(doc, 'sessionId') && has(doc, 'origin') && listOf(doc['messages']) !== null),
  },
  {
    verdict: read('responses'),
    test: isObject(isResponses),
  },
  {
    verdict: read('anthropic'),
    test: isObject(isAnthropic),
  },
  {
    verdict: read('ai-sdk'),
    test: (seen) => isUi(messages(seen)),
  },
  {
    verdict: refused('A list of Cline UI messages'),
    test: isListOf((elements) => every(elements, (one) => has(one, 'ts') && ['ask', 'say'].includes(nameOf(one['type']) ?? ''))),
  },
  {
    verdict: refused('A log of prompts only'),
    test: isListOf((elements) => every(elements, (one) => has(one, 'sessionId') && has(one, 'messageId') && !has(one, 'role'))),
  },
  { verdict: read('cline'), test: isListOf(isCline) },
  { verdict: read('ai-sdk'), test: (seen) => isAiSdk(messages(seen).filter((one) => !has(one, 'tool_calls'))) },
  { verdict: read('anthropic'), test: (seen) => hasAnthropicBlocks(messages(seen)) },
  {
    verdict: refused('A ShareGPT conversation'),
    test: ({ object, isList, elements }) =>
      (isList ? elements : [object]).some((one) => objects(one['conversations']).some((turn) => has(turn, 'from') && has(turn, 'value'))),
  },
  { verdict: read('openai-chat'), test: (seen) => messages(seen).some((one) => chatRole(one) && !has(one, 'parts')) },
  { verdict: read('openai-chat'), test: isObject((doc) => objects(doc['conversation']).some(chatRole)) },
  { verdict: read('responses'), test: isListOf((elements) => elements.some(isResponses)) },
  { verdict: read('anthropic'), test: isListOf((elements) => elements.some(isAnthropic)) },
  { verdict: read('openai-chat'), test: isListOf((elements) => elements.some((one) => objects(one['messages']).some(chatRole))) },
  { verdict: read('openai-chat'), test: isObject((doc) => listOf(doc['messages'])?.length === 0) },
];

/** Null: no document format fits. */
export function detectDocument(value: Json): Verdict | null {
  return firstOf(rows, { object: objectOf(value) ?? {}, isList: Array.isArray(value), elements: objects(value) });
}

/** A few words on what a document is, for the error that says it is nothing known. */
export function describeDocument(value: Json): string {
  const list = listOf(value);
  const first = list?.[0];
  if (list !== null)
    return list.length === 0
      ? 'an empty list'
      : `a list of ${first === null ? 'null' : Array.isArray(first) ? 'lists' : typeof first === 'object' ? `objects with ${keysOf(first)}` : `${typeof first}s`}`;
  const object = objectOf(value);
  return object === null ? `one ${value === null ? 'null' : typeof value}` : `an object with ${keysOf(object)}`;
}

const keysOf = (object: JsonObject): string =>
  Object.keys(object).length === 0
    ? 'no keys'
    : `the keys ${Object.keys(object)
        .slice(0, 8)
        .map((key) => key.slice(0, 40))
        .join(', ')}`;
