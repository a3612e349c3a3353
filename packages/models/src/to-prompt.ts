/** {@link ModelRequest} → what a provider package is called with. Pure; the policy of what is sent stands in the renderer. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider';
import { errors } from '@palimpsest/contracts';
import type {
  AssistantMessage,
  AssistantPart,
  Json,
  Message,
  ModelRequest,
  ToolCallPart,
  ToolMessage,
  ToolSchema,
  UserMessage,
  WireName,
} from '@palimpsest/contracts';
import { carrierOf } from './carriers.ts';
import { fileLine, toFile, toImage } from './media.ts';
import { parseRoute } from './route.ts';
import { toResult } from './tool-output.ts';
import { toWellFormed, toWellFormedJson } from './well-formed.ts';

/** Anthropic requires an output limit; this one is sent where the request has none. Tokens. */
export const ANTHROPIC_MAX_OUTPUT_TOKENS = 8192;

export type PromptOptions = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'maxOutputTokens' | 'temperature' | 'providerOptions'>;

interface Target {
  readonly wire: WireName;
  readonly provider: string;
}
type AssistantContent = Extract<LanguageModelV4Message, { readonly role: 'assistant' }>['content'];

/**
 * Everything of a request but its route. `wire` is where it goes; default: the route's own.
 * @throws MODEL_REQUEST_INVALID when a tool schema is no JSON object.
 */
export function toPrompt(request: ModelRequest, wire?: WireName): PromptOptions {
  const route = parseRoute(request.route);
  const target: Target = { wire: wire ?? route.wire, provider: route.provider };
  return {
    prompt: [...systemOf(request.system), ...request.messages.flatMap((message) => toMessages(message, target))],
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map((tool) => toTool(tool, request.route)) }),
    ...settingsOf(request, target.wire),
  };
}

const wireOptions: Readonly<Record<WireName, Pick<PromptOptions, 'providerOptions'>>> = {
  'openai-chat': {},
  // A stored conversation is sent as references, and then what a context engine leaves out would still be there.
  'openai-responses': { providerOptions: { openai: { store: false } } },
  // Its default writes other tool definitions into streamed requests than into whole ones.
  anthropic: { providerOptions: { anthropic: { toolStreaming: false } } },
};

function settingsOf(request: ModelRequest, wire: WireName): Omit<PromptOptions, 'prompt' | 'tools'> {
  const { maxOutputTokens = wire === 'anthropic' ? ANTHROPIC_MAX_OUTPUT_TOKENS : undefined, temperature } = request.settings;
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...wireOptions[wire],
  };
}

function systemOf(system: string): LanguageModelV4Prompt {
  return system.trim() === '' ? [] : [{ role: 'system', content: toWellFormed(system) }];
}

function toTool(tool: ToolSchema, route: string): LanguageModelV4FunctionTool {
  const { inputSchema } = tool;
  if (!isObject(inputSchema))
    throw errors.modelRequestInvalid(route, new TypeError(`tool ${tool.name}: inputSchema is no JSON Schema object`));
  return {
    type: 'function',
    name: tool.name,
    description: toWellFormed(tool.description),
    inputSchema: toWellFormedJson(inputSchema) as LanguageModelV4FunctionTool['inputSchema'],
  };
}

function toMessages(message: Message, target: Target): LanguageModelV4Prompt {
  if (message.role === 'user') return filled('user', toUserContent(message, target));
  return message.role === 'tool' ? toResults(message.content, target) : toAssistant(message, target);
}

function toUserContent(message: UserMessage, { wire }: Target): Extract<LanguageModelV4Message, { readonly role: 'user' }>['content'] {
  return message.content.flatMap((part) => {
    if (part.type === 'image') return [toImage(part)];
    if (part.type === 'file') return [toFile(part, wire)];
    return isEmpty(part.text, wire) ? [] : [{ ...part, text: toWellFormed(part.text) }];
  });
}

/** Results that a provider made itself stand in the assistant message; on every wire a result is a message of its own. */
function toAssistant(message: AssistantMessage, target: Target): LanguageModelV4Prompt {
  const results = message.content.filter((part) => part.type === 'tool-result');
  const content = message.content.flatMap((part) => toAssistantParts(part, target));
  return [...filled('assistant', content.some((part) => part.type !== 'reasoning') ? content : []), ...toResults(results, target)];
}

function toAssistantParts(part: AssistantPart, { wire, provider }: Target): AssistantContent {
  switch (part.type) {
    case 'text':
      return isEmpty(part.text, wire) ? [] : [{ ...part, text: toWellFormed(part.text) }];
    case 'tool-call':
      return [toCall(part)];
    case 'opaque':
      return part.provider === provider ? carrierOf(part, wire) : [];
    case 'file':
      return [fileLine(part)];
    // Readable reasoning has no wire that needs it; its signed form is opaque.
    case 'reasoning':
    case 'tool-result':
      return [];
  }
}

/**
 * Arguments are an object on every wire. `providerExecuted` is not passed on: only the provider's own tools, which are never declared,
 * may carry it.
 */
function toCall(part: ToolCallPart): LanguageModelV4ToolCallPart {
  const input = toWellFormedJson(part.input);
  return {
    type: 'tool-call',
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    input: isObject(input) ? input : { _raw: typeof input === 'string' ? input : JSON.stringify(input) },
    ...(part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions }),
  };
}

function toResults(parts: ToolMessage['content'], { wire }: Target): LanguageModelV4Prompt {
  return filled(
    'tool',
    parts.map((part) => toResult(part, wire)),
  );
}

/** A message that has nothing to send is none: an empty one is refused. */
function filled<M extends Exclude<LanguageModelV4Message, { readonly role: 'system' }>>(
  role: M['role'],
  content: M['content'],
): LanguageModelV4Prompt {
  return content.length === 0 ? [] : [{ role, content } as LanguageModelV4Message];
}

/** Anthropic refuses blocks that hold white space alone. */
function isEmpty(text: string, wire: WireName): boolean {
  return wire === 'anthropic' ? text.trim() === '' : text === '';
}

function isObject(value: Json): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
