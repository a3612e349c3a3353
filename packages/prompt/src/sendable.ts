import type { AssistantMessage, AssistantPart, Json, Message, ToolMessage, ToolOutput, ToolResultPart, ToolSchema, UserMessage, UserPart } from '@palimpsest/contracts';
import { cleanText, isBlank } from './clean.ts';
import { EMPTY_INPUT, EMPTY_RESULT } from './framing.ts';
import { wireCallId, wireToolName } from './wire-names.ts';

/** Decides which opaque parts go out again. */
export type KeepsOpaque = (provider: string) => boolean;

/** Formats that are a wire's own block. Other clients keep reasoning in forms of their own: kept in the log, never sent. */
const wireFormats: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** A message as every wire takes it, or null when nothing sendable is left of it. Pure. */
export function sendable(message: Message, keepsOpaque: KeepsOpaque): Message | null {
  if (message.role === 'user') return sendableUser(message);
  return message.role === 'tool' ? sendableResults(message) : sendableAssistant(message, keepsOpaque);
}

export function sendableSchema(schema: ToolSchema): ToolSchema {
  return { name: wireToolName(schema.name), description: cleanText(schema.description), inputSchema: cleanJson(schema.inputSchema) };
}

function sendableUser(message: UserMessage): UserMessage {
  const content = message.content.flatMap((part): UserPart[] => {
    if (part.type !== 'text') return [part];
    return isBlank(part.text) ? [] : [{ ...part, text: cleanText(part.text) }];
  });
  return { role: 'user', content: content.length > 0 ? content : [{ type: 'text', text: EMPTY_INPUT }] };
}

function sendableResults(message: ToolMessage): ToolMessage {
  return { role: 'tool', content: message.content.map(sendableResult) };
}

function sendableResult(part: ToolResultPart): ToolResultPart {
  return { ...part, toolCallId: wireCallId(part.toolCallId), toolName: wireToolName(part.toolName), output: sendableOutput(part.output) };
}

type ContentItem = (ToolOutput & { type: 'content' })['value'][number];

function sendableOutput(output: ToolOutput): ToolOutput {
  if (output.type === 'json' || output.type === 'error-json') return { ...output, value: cleanJson(output.value) };
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: isBlank(output.value) ? EMPTY_RESULT : cleanText(output.value) };
  const value = output.value.flatMap((item): ContentItem[] => (item.type !== 'text' ? [item] : isBlank(item.text) ? [] : [{ ...item, text: cleanText(item.text) }]));
  return value.length > 0 ? { type: 'content', value } : { type: 'text', value: EMPTY_RESULT };
}

function sendableAssistant(message: AssistantMessage, keepsOpaque: KeepsOpaque): AssistantMessage | null {
  const content = message.content.flatMap((part): AssistantPart[] => sendablePart(part, keepsOpaque));
  return content.some((part) => part.type !== 'opaque') ? { role: 'assistant', content } : null;
}

/** Readable reasoning is never sent back: no wire needs it, and only its signed form (opaque) may return. */
function sendablePart(part: AssistantPart, keepsOpaque: KeepsOpaque): AssistantPart[] {
  switch (part.type) {
    case 'reasoning':
      return [];
    case 'opaque':
      return wireFormats.has(part.format) && keepsOpaque(part.provider) ? [part] : [];
    case 'text':
      return isBlank(part.text) ? [] : [{ ...part, text: cleanText(part.text) }];
    case 'tool-call':
      return [{ ...part, toolCallId: wireCallId(part.toolCallId), toolName: wireToolName(part.toolName), input: sendableInput(part.input) }];
    case 'tool-result':
      return [sendableResult(part)];
    case 'file':
      return [part];
  }
}

/** Arguments are an object on every wire; text that was no JSON is carried inside one. */
function sendableInput(input: Json): Json {
  const clean = cleanJson(input);
  return clean !== null && typeof clean === 'object' && !Array.isArray(clean) ? clean : { _raw: clean };
}

export function cleanJson(value: Json): Json {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), cleanJson(inner)]));
}
