/** A Messages body. */
import type { FilePart, ImagePart, ToolOutput, ToolSchema, UserPart } from '@palimpsest/contracts';
import { ToolsSeen } from '../tools.ts';
import { toolName } from './clean.ts';
import {
  failed,
  isLink,
  messageList,
  outputText,
  placeholder,
  type Called,
  type Exchange,
  type ExportOptions,
  type PathEntries,
} from './exchanges.ts';

export interface AnthropicExportOptions extends ExportOptions {
  /** Default `claude-sonnet-4-5`; the reader of the body chooses. */
  readonly model?: string;
  /** Tokens. Default 4096. */
  readonly maxTokens?: number;
  /** A body with calls has to define their tools. Default: made from the calls. */
  readonly tools?: readonly ToolSchema[];
}
const MODEL = 'claude-sonnet-4-5';
const MAX_TOKENS = 4096;

/** Thinking needs its signature and is left out, as is a reply of which nothing else is left. The system text is private. */
export async function* exportAnthropic(entries: PathEntries, options: AnthropicExportOptions = {}): AsyncGenerator<string> {
  const { model = MODEL, maxTokens = MAX_TOKENS } = options;
  const seen = new ToolsSeen();
  yield `{\n"model": ${JSON.stringify(model)},\n"max_tokens": ${String(maxTokens)},\n"messages": `;
  yield* messageList(entries, options, (exchange) => {
    if (exchange.by === 'model') for (const { name, input } of exchange.calls) seen.see(name, input);
    return messagesOf(exchange);
  });
  const tools = toolsOf(options.tools ?? [], seen);
  yield tools.length === 0 ? '\n}\n' : `,\n"tools": ${JSON.stringify(tools)}\n}\n`;
}

function* messagesOf(exchange: Exchange): Generator<object> {
  if (exchange.by === 'user') {
    yield { role: 'user', content: exchange.parts.map(userBlock) };
    return;
  }
  const texts = exchange.said.flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'file' ? [placeholder(part)] : []));
  const uses = exchange.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  if (texts.length + uses.length === 0) return;
  yield { role: 'assistant', content: [...texts.map((text) => ({ type: 'text', text })), ...uses] };
  if (uses.length > 0) yield { role: 'user', content: exchange.calls.map(resultBlock) };
}

const resultBlock = ({ id, output }: Called): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: resultContent(output),
  ...(failed(output) ? { is_error: true } : {}),
});

function resultContent(output: ToolOutput): string | object[] {
  if (output.type !== 'content') return outputText(output);
  return output.value.map((part) =>
    part.type === 'text'
      ? part
      : (imageBlock({ type: 'image', image: part.data, mediaType: part.mediaType }) ?? {
          type: 'text',
          text: outputText({ type: 'content', value: [part] }),
        }),
  );
}

function userBlock(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const block = part.type === 'image' ? imageBlock(part) : documentBlock(part);
  return block ?? { type: 'text', text: placeholder(part) };
}

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Null: of a kind that is refused. */
function imageBlock({ image, mediaType = 'image/png' }: ImagePart): object | null {
  if (isLink(image)) return { type: 'image', source: { type: 'url', url: image } };
  return IMAGES.has(mediaType) ? { type: 'image', source: { type: 'base64', media_type: mediaType, data: image } } : null;
}

function documentBlock({ data, mediaType, filename }: FilePart): object | null {
  if (mediaType !== 'application/pdf') return null;
  const source = isLink(data) ? { type: 'url', url: data } : { type: 'base64', media_type: mediaType, data };
  return { type: 'document', source, ...(filename === undefined ? {} : { title: filename }) };
}

/** The given schemas, and one for each tool that was called and is none of them. */
function toolsOf(given: readonly ToolSchema[], seen: ToolsSeen): object[] {
  const known = new Map<string, ToolSchema>();
  for (const tool of [...given, ...seen.schemas()]) if (!known.has(toolName(tool.name))) known.set(toolName(tool.name), tool);
  return [...known].map(([name, { description, inputSchema }]) => ({ name, description, input_schema: inputSchema }));
}
