import type {
  AssistantMessage,
  AssistantPart,
  Json,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolOutput,
  ToolResultPart,
  ToolSchema,
  UserMessage,
} from '@palimpsest/contracts';
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
  const content = changed(message.content, (part) => (part.type === 'text' ? sendableText(part) : part));
  if (content.length === 0) return { role: 'user', content: [{ type: 'text', text: EMPTY_INPUT }] };
  return content === message.content ? message : { role: 'user', content };
}

function sendableResults(message: ToolMessage): ToolMessage {
  const content = changed(message.content, sendableResult);
  return content === message.content ? message : { role: 'tool', content };
}

function sendableResult(part: ToolResultPart): ToolResultPart {
  return amended(part, {
    toolCallId: wireCallId(part.toolCallId),
    toolName: wireToolName(part.toolName),
    output: sendableOutput(part.output),
  });
}

type ContentItem = (ToolOutput & { type: 'content' })['value'][number];

function sendableOutput(output: ToolOutput): ToolOutput {
  if (output.type === 'content') return sendableContent(output);
  if (output.type === 'json' || output.type === 'error-json') return amended(output, { value: cleanJson(output.value) });
  return amended(output, { value: isBlank(output.value) ? EMPTY_RESULT : cleanText(output.value) });
}

function sendableContent(output: ToolOutput & { type: 'content' }): ToolOutput {
  const value = changed<ContentItem>(output.value, (item) => (item.type === 'text' ? sendableText(item) : item));
  if (value.length === 0) return { type: 'text', value: EMPTY_RESULT };
  return value === output.value ? output : { type: 'content', value };
}

function sendableAssistant(message: AssistantMessage, keepsOpaque: KeepsOpaque): AssistantMessage | null {
  const content = changed(message.content, (part) => sendablePart(part, keepsOpaque));
  if (!content.some((part) => part.type !== 'opaque')) return null;
  return content === message.content ? message : { role: 'assistant', content };
}

/** Readable reasoning is never sent back: no wire needs it, and only its signed form (opaque) may return. */
function sendablePart(part: AssistantPart, keepsOpaque: KeepsOpaque): AssistantPart | undefined {
  switch (part.type) {
    case 'reasoning':
      return undefined;
    case 'opaque':
      return wireFormats.has(part.format) && keepsOpaque(part.provider) ? part : undefined;
    case 'text':
      return sendableText(part);
    case 'tool-call':
      return sendableCall(part);
    case 'tool-result':
      return sendableResult(part);
    case 'file':
      return part;
  }
}

function sendableCall(part: ToolCallPart): ToolCallPart {
  return amended(part, {
    toolCallId: wireCallId(part.toolCallId),
    toolName: wireToolName(part.toolName),
    input: sendableInput(part.input),
  });
}

/** Arguments are an object on every wire; text that was no JSON is carried inside one. */
function sendableInput(input: Json): Json {
  const clean = cleanJson(input);
  return clean !== null && typeof clean === 'object' && !Array.isArray(clean) ? clean : { _raw: clean };
}

/** The same value where it is clean. */
export function cleanJson(value: Json): Json {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return changed(value, cleanJson);
  if (value === null || typeof value !== 'object') return value;
  const [before, after] = [
    Object.entries(value),
    Object.entries(value).map(([key, inner]): [string, Json] => [cleanText(key), cleanJson(inner)]),
  ];
  return after.every(([key, inner], at) => key === before[at]?.[0] && inner === before[at]?.[1]) ? value : Object.fromEntries(after);
}

/** Undefined: nothing that could be sent is in it. */
function sendableText<T extends { readonly text: string }>(part: T): T | undefined {
  return isBlank(part.text) ? undefined : amended(part, { text: cleanText(part.text) } as Partial<T>);
}

/** The same object where nothing differs. */
function amended<T extends object>(part: T, fields: Partial<T>): T {
  for (const key in fields) if (part[key] !== fields[key]) return { ...part, ...fields };
  return part;
}

/** Each part as `change` gives it back, undefined left out; the same list where nothing differs. */
function changed<T>(parts: T[], change: (part: T) => T | undefined): T[] {
  const next = parts.map(change);
  return next.every((part, at) => part === parts[at]) ? parts : next.filter((part) => part !== undefined);
}
