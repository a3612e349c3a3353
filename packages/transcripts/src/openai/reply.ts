/** An assistant message: text, reasoning in its several spellings, calls. */
import type { AssistantPart, Finish, Usage } from '@palimpsest/contracts';
import { countOf, isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import type { Step } from '../steps.ts';
import { argumentsOf, assistantText } from './content.ts';

/** `callId` names calls that have no id of their own. */
export function replySteps(message: JsonObject, callId: (index: number) => string): readonly Step[] {
  const { parts, notes } = assistantText(message['content']);
  const thinking = reasoningOf(message);
  const all = [...thinking.parts, ...parts, ...refusalOf(message), ...audioOf(message), ...callsOf(message, callId)];
  const extra = objectOf(message['extra']);
  const usage = objectOf(extra?.['usage']) ?? objectOf(message['usage']);
  const finish = finishes.get(nameOf(extra?.['finish_reason']) ?? nameOf(message['finish_reason']) ?? '') ?? null;
  return [
    ...notes,
    {
      do: 'assistant',
      key: null,
      parts: all,
      thinking: thinking.count,
      signed: thinking.signed,
      usage: usage === null ? null : usageOf(usage),
      finish,
      empty: {},
    },
  ];
}

const finishes = new Map<string, Finish>([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'refused'],
]);

/** One block per message with reasoning; signed details are kept as they are beside it. */
function reasoningOf(message: JsonObject): { readonly parts: AssistantPart[]; readonly count: number; readonly signed: number } {
  const details = [...(listOf(message['reasoning_details']) ?? []), ...(listOf(message['thinking_blocks']) ?? [])];
  const text =
    [message['reasoning_content'], message['reasoning']].map((one) => textOf(one) ?? '').find((one) => !isBlank(one)) ??
    details
      .map((one) => textOf(objectOf(one)?.['text']) ?? textOf(objectOf(one)?.['thinking']) ?? '')
      .join('\n')
      .trim();
  const opaque = details.map((one): AssistantPart => ({
    type: 'opaque',
    provider: providerOf(objectOf(one) ?? {}),
    format: nameOf(objectOf(one)?.['type']) ?? 'reasoning',
    bytes: stringify(one),
  }));
  const parts: AssistantPart[] = [...(text === '' ? [] : [{ type: 'reasoning' as const, text }]), ...opaque];
  const isSigned = details.some((one) => ['signature', 'data'].some((key) => nameOf(objectOf(one)?.[key]) !== null));
  return { parts, count: parts.length === 0 ? 0 : 1, signed: isSigned ? 1 : 0 };
}

/** By what the detail says: routers name the family in `format`, Anthropic's own blocks by their type. */
function providerOf(detail: JsonObject): string {
  const format = nameOf(detail['format']);
  if (format !== null) return format.split('-')[0] ?? format;
  return ['thinking', 'redacted_thinking'].includes(nameOf(detail['type']) ?? '') ? 'anthropic' : 'openai';
}

const refusalOf = (message: JsonObject): AssistantPart[] => {
  const text = textOf(message['refusal']);
  return text === null || isBlank(text) ? [] : [{ type: 'text', text }];
};

const audioOf = (message: JsonObject): AssistantPart[] => {
  const audio = objectOf(message['audio']);
  return audio === null ? [] : [{ type: 'opaque', provider: 'openai', format: 'audio', bytes: stringify(audio) }];
};

function callsOf(message: JsonObject, callId: (index: number) => string): AssistantPart[] {
  const legacy = objectOf(message['function_call']);
  const calls = (listOf(message['tool_calls']) ?? []).map((call) => objectOf(call) ?? {});
  return [
    ...calls.map((call, index) =>
      callPart(nameOf(call['id']) ?? callId(index), objectOf(call['function']) ?? objectOf(call['custom']) ?? call),
    ),
    ...(legacy === null ? [] : [callPart(callId(calls.length), legacy)]),
  ];
}

const callPart = (toolCallId: string, called: JsonObject): AssistantPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: nameOf(called['name']) ?? 'unknown',
  input: called['arguments'] === undefined ? (called['input'] ?? {}) : argumentsOf(called['arguments']),
});

function usageOf(usage: JsonObject): Usage {
  const details = objectOf(usage['prompt_tokens_details']);
  const cacheRead = countOf(details?.['cached_tokens']) || countOf(usage['prompt_cache_hit_tokens']);
  const reasoning = countOf(objectOf(usage['completion_tokens_details'])?.['reasoning_tokens']);
  return {
    input: Math.max(0, countOf(usage['prompt_tokens']) - cacheRead),
    output: countOf(usage['completion_tokens']),
    cacheRead,
    cacheWrite: 0,
    reasoning,
  };
}
