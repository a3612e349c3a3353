import type { AssistantMessage, Json, Message, ToolOutput, ToolSchema, UserPart } from '@palimpsest/contracts';

/**
 * A message as it stands in a Chat Completions body: the text that is counted. It is the longest of the wires (arguments are escaped
 * twice there), so a figure counted on it is not below what another wire sends. Images are counted apart.
 */
export function chatForm(message: Message): { readonly text: string; readonly images: number } {
  if (message.role === 'user') return userForm(message.content);
  return message.role === 'assistant' ? assistantForm(message) : resultsForm(message);
}

export function chatTools(tools: readonly ToolSchema[]): string {
  return tools.length === 0
    ? ''
    : JSON.stringify({
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        })),
      });
}

export function chatSystem(system: string): string {
  return system === '' ? '' : JSON.stringify({ role: 'system', content: system });
}

function userForm(content: readonly UserPart[]): { text: string; images: number } {
  const only = content.length === 1 ? content[0] : undefined;
  if (only?.type === 'text') return { text: JSON.stringify({ role: 'user', content: only.text }), images: 0 };
  return {
    text: JSON.stringify({ role: 'user', content: content.map(partForm) }),
    images: content.filter((part) => part.type === 'image' || (part.type === 'file' && isPicture(part.mediaType))).length,
  };
}

/** A file that is no picture may be sent as text, or as its bytes: it counts as what it holds. */
function partForm(part: UserPart): Json {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'file' && !isPicture(part.mediaType))
    return { type: 'file', file: { filename: part.filename ?? '', file_data: part.data } };
  return { type: 'image_url', image_url: { url: '' } };
}

function isPicture(mediaType: string): boolean {
  return mediaType.startsWith('image/');
}

function assistantForm(message: AssistantMessage): { text: string; images: number } {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = message.content.flatMap((part) =>
    part.type === 'tool-call' ? [callForm(part.toolCallId, part.toolName, part.input)] : [],
  );
  const rest = message.content.flatMap((part) =>
    part.type === 'opaque' ? [part.bytes] : part.type === 'tool-result' ? [outputForm(part.output).text] : [],
  );
  const form = JSON.stringify({
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  });
  return { text: [form, ...rest].join('\n'), images: message.content.filter((part) => part.type === 'file').length };
}

function callForm(id: string, name: string, input: Json): Json {
  return { id: roomy(id), type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** Counted before anybody knows whether a request has the id twice: then it goes out with a number behind it. */
function roomy(id: string): string {
  return `${id}_999`;
}

function resultsForm(message: Message & { role: 'tool' }): { text: string; images: number } {
  const forms = message.content.map((part) => ({ id: part.toolCallId, ...outputForm(part.output) }));
  return {
    text: forms.map(({ id, text }) => JSON.stringify({ role: 'tool', tool_call_id: roomy(id), content: text })).join(','),
    images: forms.reduce((sum, { images }) => sum + images, 0),
  };
}

function outputForm(output: ToolOutput): { text: string; images: number } {
  if (output.type === 'text') return { text: output.value, images: 0 };
  if (output.type === 'json') return { text: JSON.stringify(output.value), images: 0 };
  if (output.type !== 'content') return { text: JSON.stringify({ error: output.value }), images: 0 };
  const texts = output.value.map((item) => (item.type === 'text' ? item.text : `[image: ${item.mediaType}]`));
  return { text: texts.join('\n'), images: output.value.filter((item) => item.type !== 'text').length };
}
