/** Items that ask for a tool, answer one, or do both. */
import type { AssistantPart, Json, ToolOutput } from '@palimpsest/contracts';
import type { Output } from '../anthropic/media.ts';
import { nameOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { argumentsOf } from '../openai/content.ts';
import { outputOf } from './content.ts';

type Call = Extract<AssistantPart, { type: 'tool-call' }>;
const CLIENT_CALLS = new Set(['custom_tool_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call']);
const HOSTED = new Set(['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'mcp_call']);

const typeOf = (item: JsonObject): string => nameOf(item['type']) ?? '';
/** Results name their call by `call_id`; `id` is another number, except where an item has nothing else. */
export const callIdOf = (item: JsonObject): string | null => nameOf(item['call_id']) ?? nameOf(item['id']);

/** Null: the item is no call. `tool_search_call` and `program` are answered by an item of their own, whoever ran them. */
export function callOf(item: JsonObject, fallbackId: string): Call | null {
  const toolCallId = callIdOf(item) ?? fallbackId;
  const type = typeOf(item);
  if (type === 'function_call') return named(item, toolCallId);
  if (CLIENT_CALLS.has(type) || type === 'tool_search_call' || type === 'program')
    return { type: 'tool-call', toolCallId, toolName: nameOf(item['name']) ?? type.replace(/_call$/u, ''), input: inputOf(item) };
  return null;
}

function named(item: JsonObject, toolCallId: string): Call {
  const namespace = nameOf(item['namespace']);
  return {
    type: 'tool-call',
    toolCallId,
    toolName: nameOf(item['name']) ?? 'unknown',
    input: argumentsOf(item['arguments']),
    ...(namespace === null ? {} : { providerOptions: { openai: { namespace } } }),
  };
}

/** `input` is text as the model wrote it; JSON stays text as well. */
function inputOf(item: JsonObject): Json {
  if (item['input'] !== undefined) return item['input'];
  if (item['arguments'] !== undefined) return argumentsOf(item['arguments']);
  return item['action'] ?? item['actions'] ?? item['operation'] ?? item['code'] ?? {};
}

const OUTPUTS = /^(?:[a-z_]+_call_output|tool_search_output|program_output)$/u;
export const isOutput = (item: JsonObject): boolean => OUTPUTS.test(typeOf(item));

export function outputSteps(item: JsonObject): Output & { readonly callId: string } {
  const failed = item['status'] === 'failed';
  const read = outputOf(item['output'] ?? item['result'] ?? item['tools'], failed);
  return { ...read, callId: callIdOf(item) ?? '' };
}

/** Null: the item is nothing that the provider ran. */
export function hostedParts(item: JsonObject, fallbackId: string): { readonly parts: AssistantPart[]; readonly images: number } | null {
  const type = typeOf(item);
  if (!HOSTED.has(type)) return null;
  const toolCallId = nameOf(item['id']) ?? fallbackId;
  const toolName = type === 'mcp_call' ? (nameOf(item['name']) ?? 'mcp') : type.replace(/_call$/u, '');
  const { output, images } = hostedOutput(type, item);
  return {
    parts: [
      { type: 'tool-call', toolCallId, toolName, input: hostedInput(type, item), providerExecuted: true },
      { type: 'tool-result', toolCallId, toolName, output },
    ],
    images,
  };
}

function hostedInput(type: string, item: JsonObject): Json {
  if (type === 'mcp_call') return argumentsOf(item['arguments']);
  if (type === 'file_search_call') return { queries: item['queries'] ?? [] };
  if (type === 'code_interpreter_call') return { code: item['code'] ?? null };
  if (type === 'image_generation_call') return { prompt: item['revised_prompt'] ?? null };
  return item['action'] ?? {};
}

function hostedOutput(type: string, item: JsonObject): { readonly output: ToolOutput; readonly images: number } {
  const failed = item['status'] === 'failed';
  if (type === 'image_generation_call') return imageOutput(item, failed);
  if (type === 'mcp_call') {
    const error = item['error'];
    if (error !== undefined && error !== null)
      return { output: { type: 'error-text', value: typeof error === 'string' ? error : stringify(error) }, images: 0 };
    return outputOf(item['output'], failed);
  }
  const found = type === 'code_interpreter_call' ? item['outputs'] : item['results'];
  const { status } = item;
  if (found === undefined || found === null)
    return { output: { type: failed ? 'error-text' : 'text', value: textOf(status) ?? '' }, images: 0 };
  return { output: { type: failed ? 'error-json' : 'json', value: found }, images: 0 };
}

function imageOutput(item: JsonObject, failed: boolean): { readonly output: ToolOutput; readonly images: number } {
  const data = nameOf(item['result']);
  if (data === null) return { output: { type: failed ? 'error-text' : 'text', value: textOf(item['status']) ?? '' }, images: 0 };
  const mediaType = `image/${nameOf(item['output_format']) ?? 'png'}`;
  return { output: { type: 'content', value: [{ type: 'image-data', data, mediaType }] }, images: 1 };
}
