/** What a provider package returns as content → our reply. Pure. */
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Reasoning,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { callsOf, isTooDeep, json } from '@palimpsest/contracts';
import type { Answer, AssistantMessage, AssistantPart, Json, OpaquePart, ProviderOptions } from '@palimpsest/contracts';
import { opaqueOf } from './carriers.ts';
import { classifyFault } from './faults/classify-fault.ts';
import { toFinish, toUsage } from './normal.ts';

export interface Ended {
  readonly finishReason: LanguageModelV4FinishReason;
  readonly usage: LanguageModelV4Usage;
}

/** Some providers end a successful answer with this when input and output filled the window; a call in it may be cut. */
const WINDOW_FULL = 'model_context_window_exceeded';

/** `provider` is the route's, and becomes the owner of opaque parts. `fault` is what the stream reported on its way, if anything. */
export function toAnswer(content: readonly LanguageModelV4Content[], ended: Ended, provider: string, fault?: unknown): Answer {
  const { unified, raw } = ended.finishReason;
  if (raw === WINDOW_FULL) return { kind: 'failed', fault: classifyFault(`The answer ended with ${WINDOW_FULL}.`) };
  if (unified === 'error')
    return { kind: 'failed', fault: classifyFault(fault ?? `The provider ended the answer with an error (${raw ?? 'no reason given'}).`) };
  if (unified === 'interrupted') return cutAnswer(fault);
  const parts = content.flatMap((part, at) => toParts(part, content.slice(0, at), provider));
  const message: AssistantMessage = { role: 'assistant', content: merged(parts) };
  const calls = callsOf(message);
  return {
    kind: 'reply',
    message,
    calls,
    usage: toUsage(ended.usage),
    finish: toFinish(unified, calls.length),
  };
}

/** The connection ended before the answer did. */
export function cutAnswer(fault?: unknown): Answer {
  return {
    kind: 'failed',
    fault: fault === undefined ? { kind: 'network', message: 'The stream ended before the answer did.' } : classifyFault(fault),
  };
}

function toParts(part: LanguageModelV4Content, before: readonly LanguageModelV4Content[], provider: string): AssistantPart[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...optionsOf(part.providerMetadata) }];
    case 'reasoning':
      return toReasoning(part, before, provider);
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: parsedInput(part.input),
          ...(part.providerExecuted === true ? { providerExecuted: true } : {}),
          ...optionsOf(part.providerMetadata),
        },
      ];
    case 'tool-result': {
      const value = asJson(part.result);
      return [
        {
          type: 'tool-result',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          output: { type: part.isError === true ? 'error-json' : 'json', value },
        },
      ];
    }
    case 'file':
      return [{ type: 'file', mediaType: part.mediaType, data: fileText(part.data) }];
    // Sources, approvals and custom content have no part of ours; what they cite or say stands in the text.
    default:
      return [];
  }
}

/** The readable text, and beside it the exact block where the provider signed or encrypted one. */
function toReasoning(part: LanguageModelV4Reasoning, before: readonly LanguageModelV4Content[], provider: string): AssistantPart[] {
  const readable: AssistantPart[] = part.text === '' ? [] : [{ type: 'reasoning', text: part.text }];
  const sealed = sealedOf(part, before, provider);
  return sealed === null ? readable : [...readable, sealed];
}

function sealedOf(part: LanguageModelV4Reasoning, before: readonly LanguageModelV4Content[], provider: string): OpaquePart | null {
  const { anthropic, openai } = part.providerMetadata ?? {};
  if (typeof anthropic?.['signature'] === 'string')
    return opaqueOf(provider, { type: 'thinking', thinking: part.text, signature: anthropic['signature'] });
  if (typeof anthropic?.['redactedData'] === 'string')
    return opaqueOf(provider, { type: 'redacted_thinking', data: anthropic['redactedData'] });
  const blob = openai?.['reasoningEncryptedContent'];
  if (typeof blob !== 'string') return null;
  const id = openai?.['itemId'];
  const texts = [
    ...before.filter((one) => one.type === 'reasoning' && typeof id === 'string' && one.providerMetadata?.['openai']?.['itemId'] === id),
    part,
  ].map((one) => (one as LanguageModelV4Reasoning).text);
  const summary = texts.filter((text) => text !== '').map((text) => ({ type: 'summary_text' as const, text }));
  return opaqueOf(provider, { type: 'reasoning', ...(typeof id === 'string' ? { id } : {}), summary, encrypted_content: blob });
}

/** Several summaries of one item each carry its blob: the last one has them all, and it alone stays. */
function merged(parts: readonly AssistantPart[]): AssistantPart[] {
  const last = new Map(
    parts.flatMap((part, at) => (part.type === 'opaque' && part.format === 'reasoning' ? [[itemKey(part), at] as const] : [])),
  );
  return parts.filter((part, at) => part.type !== 'opaque' || part.format !== 'reasoning' || last.get(itemKey(part)) === at);
}

function itemKey(part: OpaquePart): string {
  return (JSON.parse(part.bytes) as { id?: string }).id ?? part.bytes;
}

/** Arguments that are no JSON, or JSON without end, stay the text they are; none at all are an empty object. */
function parsedInput(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const parsed = JSON.parse(text) as Json;
    return isTooDeep(parsed) ? text : parsed;
  } catch {
    return text;
  }
}

function fileText(data: Extract<LanguageModelV4Content, { readonly type: 'file' }>['data']): string {
  if (data.type === 'url') return data.url.toString();
  return typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
}

/** What the provider package wants back with the part next time: item ids, thought signatures. */
function optionsOf(metadata: SharedV4ProviderMetadata | undefined): { providerOptions?: ProviderOptions } {
  return metadata === undefined ? {} : { providerOptions: asJson(metadata) as ProviderOptions };
}

/** As it would stand in a body: keys without a value are gone. */
function asJson(value: unknown): Json {
  return json.parse(JSON.parse(JSON.stringify(value ?? null)));
}
