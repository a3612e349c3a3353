/** An assistant message: text, signed thinking, calls, and what the provider ran by itself. */
import type { AssistantPart, Finish, Json, Usage } from '@palimpsest/contracts';
import { compactionMark, keptUser } from '../kept.ts';
import { countOf, isBlank, listOf, nameOf, objectOf, stringify, textOf, parseText, type JsonObject } from '../json/values.ts';
import { note, skip, type ResultStep, type Step } from '../steps.ts';
import type { FormatName } from '../transcript.ts';
import { blocksOf, toolOutput, typeOf, userContent } from './media.ts';
import { holdsSealed, isServerCall, isServerResult, ServerCalls, serverOutput } from './server-tools.ts';

interface Gathered {
  readonly format: FormatName;
  readonly at: number;
  readonly parts: AssistantPart[];
  readonly calls: ServerCalls;
  /** Hidden steps and notes before the message, results behind it. */
  readonly before: Step[];
  readonly results: ResultStep[];
  thinking: number;
  signed: number;
  images: number;
}

export function replySteps(message: JsonObject, at: number, format: FormatName): readonly Step[] {
  const found: Gathered = {
    format,
    at,
    parts: [],
    calls: new ServerCalls(),
    before: [],
    results: [],
    thinking: 0,
    signed: 0,
    images: 0,
  };
  const blocks = blocksOf(message['content']);
  for (const [index, block] of blocks.entries()) take(found, block, `call-${String(at)}-${String(index)}`);
  found.parts.push(...detailParts(message, found));
  const usage = objectOf(message['usage']) ?? objectOf(message['metrics']);
  // A message of nothing but a compaction, or of results, is no reply.
  if (found.parts.length === 0 && (found.before.some((step) => step.do === 'hidden') || found.results.length > 0))
    return [...found.before, ...found.results];
  const { parts, thinking, signed, images, before, results } = found;
  const step: Step = {
    do: 'assistant',
    key: null,
    parts,
    thinking,
    signed,
    images,
    usage: usage === null ? null : usageOf(usage),
    finish: finishes.get(nameOf(message['stop_reason']) ?? '') ?? null,
    empty: { stopReason: message['stop_reason'] ?? null },
  };
  return [...before, step, ...results];
}

function take(found: Gathered, block: Json, fallbackId: string): void {
  const object = objectOf(block) ?? {};
  const id = nameOf(object['id']) ?? fallbackId;
  if (typeof block === 'string') found.parts.push(...textParts(block));
  else if (isServerCall(block)) {
    found.calls.asked(id, found.parts.length);
    found.parts.push(callPart(object, id));
  } else if (isServerResult(block)) takeResult(found, object);
  else (table.get(typeOf(block)) ?? unknown)(found, object, id);
}

function takeResult(found: Gathered, block: JsonObject): void {
  const callId = textOf(block['tool_use_id']) ?? '';
  const output = serverOutput(block);
  if (!found.calls.answer(found.parts, callId, output)) found.results.push({ do: 'result', callId, output, images: 0 });
  if (holdsSealed(block['content'] ?? null)) found.parts.push(opaque(block));
}

type Rule = (found: Gathered, block: JsonObject, id: string) => void;

const textParts = (text: string): AssistantPart[] => (isBlank(text) ? [] : [{ type: 'text', text }]);
const opaque = (block: JsonObject): AssistantPart => ({
  type: 'opaque',
  provider: 'anthropic',
  format: nameOf(block['type']) ?? 'unknown',
  bytes: stringify(block),
});
const callPart = (block: JsonObject, toolCallId: string): Extract<AssistantPart, { type: 'tool-call' }> => ({
  type: 'tool-call',
  toolCallId,
  toolName: nameOf(block['name']) ?? 'unknown',
  input: block['input'] ?? {},
});

/** A text input is a call that was cut off, unless it parses. */
const toolUse: Rule = (found, block, id) => {
  const { input } = block;
  const parsed = typeof input === 'string' ? parseText(input === '' ? '{}' : input) : input;
  if (parsed === undefined && input !== undefined) found.before.push(skip('incomplete-call', id));
  else found.parts.push(callPart({ ...block, input: parsed ?? {} }, id));
};

const thinking: Rule = (found, block) => {
  const text = textOf(block['thinking']) ?? '';
  const signed = nameOf(block['signature']) !== null;
  if (text === '' && !signed) return;
  found.thinking++;
  if (text !== '') found.parts.push({ type: 'reasoning', text });
  if (!signed) return;
  found.signed++;
  found.parts.push(opaque(block));
};

const redacted: Rule = (found, block) => {
  found.thinking++;
  found.signed++;
  found.parts.push(opaque(block));
};

/** The server drops everything before the block; here it stays. Without content the attempt failed and means nothing. */
const compaction: Rule = (found, block) => {
  const text =
    textOf(block['content']) ??
    userContent(blocksOf(block['content']))
      .content.map((part) => (part.type === 'text' ? part.text : ''))
      .join('\n');
  found.before.push(compactionMark(found.format, block));
  if (!isBlank(text)) found.before.push(keptUser(found.format, found.at, 'handoff', [{ type: 'text', text }]));
};

const media: Rule = (found, block) => {
  const { content, images, notes } = userContent([block]);
  found.images += images;
  found.before.push(...notes);
  for (const part of content) {
    if (part.type !== 'image') found.parts.push(part);
    else found.parts.push({ type: 'file', data: part.image, mediaType: part.mediaType ?? 'image/png' });
  }
};

const result: Rule = (found, block) => {
  const { output, images, notes } = toolOutput(block['content'], block['is_error'] === true);
  found.before.push(...notes);
  found.results.push({ do: 'result', callId: textOf(block['tool_use_id']) ?? '', output, images });
};

const unknown: Rule = (found, block) => {
  found.before.push(note('unknown-block'));
  found.parts.push(opaque(block));
};

const table: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['text', (found, block) => void found.parts.push(...textParts(textOf(block['text']) ?? ''))],
  ['thinking', thinking],
  ['redacted_thinking', redacted],
  ['tool_use', toolUse],
  ['tool_result', result],
  ['compaction', compaction],
  ['image', media],
  ['document', media],
  ['file', media],
  ['media', media],
  ['container_upload', (found, block) => void found.parts.push(opaque(block))],
]);

/** Signed reasoning of routers, recorded beside the blocks. */
function detailParts(message: JsonObject, found: Gathered): AssistantPart[] {
  const details = listOf(message['reasoning_details']) ?? [];
  if (details.length > 0 && found.thinking === 0) found.thinking++;
  return details.map((detail) => ({
    type: 'opaque',
    provider: nameOf(objectOf(detail)?.['format'])?.split('-')[0] ?? 'openrouter',
    format: typeOf(detail) === '' ? 'reasoning' : typeOf(detail),
    bytes: stringify(detail),
  }));
}

const finishes = new Map<string, Finish>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refused'],
  ['pause_turn', 'other'],
  ['compaction', 'other'],
]);

/** The wire's counters, or the client's metrics in their two spellings. */
function usageOf(usage: JsonObject): Usage {
  const tokens = objectOf(usage['tokens']) ?? {};
  const first = (...values: (Json | undefined)[]): number => values.map(countOf).find((count) => count > 0) ?? 0;
  return {
    input: first(usage['input_tokens'], usage['inputTokens'], tokens['prompt']),
    output: first(usage['output_tokens'], usage['outputTokens'], tokens['completion']),
    cacheRead: first(usage['cache_read_input_tokens'], usage['cacheReadTokens'], tokens['cached']),
    cacheWrite: first(usage['cache_creation_input_tokens'], usage['cacheWriteTokens']),
    reasoning: countOf(objectOf(usage['output_tokens_details'])?.['thinking_tokens']),
  };
}
