/** Items of the model's own history. */
import type { AssistantPart, Json, MessageBody, ToolOutput } from '@palimpsest/contracts';
import { isBlank, listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import { argumentsOf, assistantText, toolOutput, userContent } from '../openai/content.ts';
import type { NoteStep, Step } from '../steps.ts';

/** What one item adds to the model message that is open. */
export interface Share {
  readonly parts: readonly AssistantPart[];
  readonly thinking: number;
  readonly signed: number;
  readonly images: number;
  readonly notes: readonly NoteStep[];
}
export interface ItemContext {
  readonly at: number;
  /** The item's exact JSON text. */
  readonly bytes: () => string;
}

const share = (parts: readonly AssistantPart[], more: Partial<Share> = {}): Share => ({
  parts,
  thinking: 0,
  signed: 0,
  images: 0,
  notes: [],
  ...more,
});

/** Null: not an item of the model. */
export function shareOf(item: JsonObject, context: ItemContext): Share | null {
  const type = nameOf(item['type']) ?? '';
  if (type === 'message') return item['role'] === 'assistant' ? said(item) : null;
  if (type === 'reasoning') return reasoned(item, context);
  return calls.get(type)?.(item, context) ?? null;
}

function said(item: JsonObject): Share {
  const { parts, notes } = assistantText(item['content']);
  const phase = nameOf(item['phase']);
  const tagged = parts.map((part): AssistantPart =>
    part.type === 'text' && phase !== null ? { ...part, providerOptions: { openai: { phase } } } : part,
  );
  return share(tagged, { notes });
}

/** The summary may be read; what is encrypted is kept byte for byte beside it. */
function reasoned(item: JsonObject, { bytes }: ItemContext): Share {
  const summary = listTexts(item['summary']);
  const text = (summary.length > 0 ? summary : listTexts(item['content'])).join('\n\n');
  const signed = nameOf(item['encrypted_content']) !== null;
  const parts: AssistantPart[] = [
    ...(isBlank(text) ? [] : [{ type: 'reasoning' as const, text }]),
    ...(signed ? [{ type: 'opaque' as const, provider: 'openai', format: 'reasoning', bytes: bytes() }] : []),
  ];
  return share(parts, { thinking: parts.length > 0 ? 1 : 0, signed: signed ? 1 : 0 });
}

export const listTexts = (value: Json | undefined): string[] =>
  (typeof value === 'string' ? [value] : (listOf(value) ?? []).map((one) => textOf(one) ?? textOf(objectOf(one)?.['text']) ?? '')).filter(
    (text) => !isBlank(text),
  );

type CallRule = (item: JsonObject, context: ItemContext) => Share;

const callId = (item: JsonObject, at: number): string => nameOf(item['call_id']) ?? nameOf(item['id']) ?? `call-${String(at)}`;

const called =
  (nameFor: (item: JsonObject) => string, input: (item: JsonObject) => Json): CallRule =>
  (item, { at }) => {
    const namespace = nameOf(item['namespace']);
    return share([
      {
        type: 'tool-call',
        toolCallId: callId(item, at),
        toolName: nameFor(item),
        input: input(item),
        ...(namespace === null ? {} : { providerOptions: { openai: { namespace } } }),
      },
    ]);
  };

/** What the provider ran itself is call and result in one. */
const executed =
  (toolName: string, output: (item: JsonObject) => ToolOutput): CallRule =>
  (item, { at }) => {
    const toolCallId = callId(item, at);
    const { result: _result, type: _type, id: _id, status: _status, ...rest } = item;
    const input: Json = objectOf(item['action']) ?? rest;
    const answer = output(item);
    return share(
      [
        { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true },
        { type: 'tool-result', toolCallId, toolName, output: answer },
      ],
      { images: answer.type === 'content' ? answer.value.filter((one) => one.type === 'image-data').length : 0 },
    );
  };

const named = (item: JsonObject): string => nameOf(item['name']) ?? 'unknown';
const calls: ReadonlyMap<string, CallRule> = new Map([
  ['function_call', called(named, (item) => argumentsOf(item['arguments']))],
  ['custom_tool_call', called(named, (item) => item['input'] ?? '')],
  [
    'local_shell_call',
    called(
      () => 'local_shell',
      (item) => item['action'] ?? {},
    ),
  ],
  [
    'tool_search_call',
    called(
      () => 'tool_search',
      (item) => argumentsOf(item['arguments']),
    ),
  ],
  ['web_search_call', executed('web_search', (item) => ({ type: 'text', value: nameOf(item['status']) ?? 'completed' }))],
  ['image_generation_call', executed('image_generation', pictured)],
]);

function pictured(item: JsonObject): ToolOutput {
  const data = nameOf(item['result']);
  const status = nameOf(item['status']) ?? 'completed';
  return data === null
    ? { type: 'text', value: status }
    : { type: 'content', value: [{ type: 'image-data', data, mediaType: `image/${nameOf(item['output_format']) ?? 'png'}` }] };
}

const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output', 'local_shell_call_output', 'tool_search_output']);

/** Null: no output. Old files wrap it with a mark of success. */
export function outputSteps(item: JsonObject): readonly Step[] | null {
  if (!OUTPUTS.has(nameOf(item['type']) ?? '')) return null;
  const wrapped = objectOf(item['output']);
  const content = wrapped === null ? (item['output'] ?? item['tools']) : (wrapped['content_items'] ?? wrapped['content'] ?? wrapped);
  const { output, images, notes } = toolOutput(content);
  const failed = wrapped?.['success'] === false && output.type === 'text';
  return [
    ...notes,
    {
      do: 'result',
      callId: textOf(item['call_id']) ?? '',
      output: failed ? { type: 'error-text', value: output.value } : output,
      images,
    },
  ];
}

/** Instructions in mid-conversation, and what the provider compacted by itself: kept, never shown. Null: neither. */
export function hiddenSteps(item: JsonObject, { at, bytes }: ItemContext): readonly Step[] | null {
  const type = nameOf(item['type']) ?? '';
  const source = { format: 'codex', line: at };
  if (type === 'message' && ['developer', 'system'].includes(nameOf(item['role']) ?? '')) {
    const body: MessageBody = {
      kind: 'message',
      origin: 'notice',
      message: { role: 'user', content: userContent(item['content']).content },
      hidden: true,
      source,
    };
    return [{ do: 'hidden', body }];
  }
  if (['compaction', 'compaction_summary', 'context_compaction'].includes(type)) {
    const body: MessageBody = {
      kind: 'message',
      origin: 'handoff',
      message: { role: 'assistant', content: [{ type: 'opaque', provider: 'openai', format: 'compaction', bytes: bytes() }] },
      hidden: true,
      source,
    };
    return [{ do: 'hidden', body }];
  }
  return null;
}

export const keptStep = (key: string, data: Json): Step => ({
  do: 'hidden',
  body: { kind: 'custom', by: 'codex', key, data, shown: null },
});
