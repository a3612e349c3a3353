/** JSONL formats by their records. The first row that fits wins. */
import type { Json } from '@palimpsest/contracts';
import { has, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { isOwnEntry } from '../own/lines.ts';
import { listOf } from '../json/values.ts';
import { firstOf, read, refused, type Row, type Verdict } from './verdict.ts';

type Records = readonly JsonObject[];

const typeOf = (value: JsonObject | undefined): string => nameOf(value?.['type']) ?? '';
const types =
  (...names: string[]): ((value: JsonObject) => boolean) =>
  (value) =>
    names.includes(typeOf(value));
const keyed = (value: JsonObject | undefined, ...keys: string[]): boolean => value !== undefined && keys.every((key) => has(value, key));

const claudeTurn = types('user', 'assistant', 'system', 'attachment', 'progress');
const claudeState = types(
  'summary',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'ai-title',
  'custom-title',
  'tag',
  'agent-name',
  'mode',
  'permission-mode',
  'last-prompt',
  'worktree-state',
  'pr-link',
);
const isClaude = (value: JsonObject): boolean =>
  (claudeTurn(value) && keyed(value, 'uuid', 'parentUuid')) ||
  (claudeState(value) && ['sessionId', 'leafUuid', 'messageId'].some((key) => has(value, key)));

const isCodex = (value: JsonObject): boolean =>
  keyed(value, 'timestamp', 'payload') && types('session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted')(value);
/** Items without envelope, and the header and the marks between them. */
const isBareCodex = (value: JsonObject): boolean =>
  value['record_type'] === 'state' ||
  (keyed(value, 'id', 'timestamp', 'instructions') && !has(value, 'type') && !has(value, 'messages')) ||
  (types('function_call', 'function_call_output', 'custom_tool_call', 'local_shell_call')(value) && has(value, 'call_id')) ||
  (types('reasoning')(value) && listOf(value['summary']) !== null) ||
  (types('message')(value) && has(value, 'role') && holdsItemText(value['content']));
const holdsItemText = (content: Json | undefined): boolean =>
  (listOf(content) ?? []).some((part) => types('input_text', 'output_text', 'input_image')(objectOf(part) ?? {}));

/** The header may be lost. */
const isGemini = (value: JsonObject): boolean =>
  (keyed(value, 'id', 'timestamp', 'content') && types('gemini')(value)) ||
  has(value, '$rewindTo') ||
  listOf(objectOf(value['$set'])?.['messages']) !== null;

/** The header may be lost: then records of pi's shape still tell. */
const isPiMessage = (value: JsonObject): boolean =>
  typeOf(value) === 'message' &&
  has(value, 'timestamp') &&
  ['user', 'assistant', 'toolResult'].includes(nameOf(objectOf(value['message'])?.['role']) ?? '');

const rows: readonly Row<Records>[] = [
  {
    verdict: read('palimpsest'),
    test: (records) => records.some(types('palimpsest-session')) || records.some(isOwnEntry),
  },
  {
    verdict: read('pi'),
    test: (records) =>
      records.some((value) => typeOf(value) === 'session' && keyed(value, 'id', 'timestamp')) &&
      !records.some((value) => typeOf(value).includes('/')),
  },
  {
    verdict: read('codex'),
    test: (records) => records.some(isCodex) || records.some(isBareCodex),
  },
  { verdict: read('claude-code'), test: (records) => records.some(isClaude) },
  {
    verdict: read('gemini-cli'),
    test: (records) =>
      records.some((value) => keyed(value, 'sessionId', 'projectHash') && !has(value, 'messages')) || records.some(isGemini),
  },
  {
    verdict: read('goose'),
    test: ([first, second]) => keyed(first, 'working_dir') && second !== undefined && keyed(second, 'role', 'content'),
  },
  {
    verdict: refused('Stream output of "claude -p"'),
    test: (records) => records.some((value) => typeOf(value) === 'system' && value['subtype'] === 'init'),
  },
  {
    verdict: refused('Event output of "codex exec --json"'),
    test: (records) => records.some(types('thread.started', 'item.completed', 'turn.started')),
  },
  {
    verdict: refused('A log of prompts only'),
    test: (records) =>
      records.length > 0 && records.every((value) => has(value, 'display') || (keyed(value, 'session_id', 'text') && has(value, 'ts'))),
  },
  { verdict: read('pi'), test: (records) => records.some(isPiMessage) },
];

/** Null: no JSONL format fits. */
export const detectLines = (records: Records): Verdict | null => (records.length === 0 ? null : firstOf(rows, records));
/** A line that is a whole document of its own, as one of several. */
export const isBody = (value: JsonObject): boolean =>
  ['messages', 'traj', 'conversation'].some((key) => listOf(value[key]) !== null) ||
  (has(value, 'input') && (has(value, 'model') || has(value, 'instructions')));
