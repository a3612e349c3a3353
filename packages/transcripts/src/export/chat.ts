/** The messages of a Chat Completions request, as a JSON array. */
import type { FilePart, ImagePart, UserPart } from '@palimpsest/contracts';
import { isLink, messageList, outputText, placeholder, type Exchange, type ExportOptions, type PathEntries } from './exchanges.ts';

/** Reasoning has no place in these messages and is left out; so is a reply of which nothing else is left. */
export async function* exportChat(entries: PathEntries, options: ExportOptions = {}): AsyncGenerator<string> {
  yield* messageList(entries, options, messagesOf);
  yield '\n';
}

function* messagesOf(exchange: Exchange): Generator<object> {
  if (exchange.by === 'user') {
    const [only] = exchange.parts;
    yield { role: 'user', content: exchange.parts.length === 1 && only?.type === 'text' ? only.text : exchange.parts.map(userPart) };
    return;
  }
  const texts = exchange.said.flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'file' ? [placeholder(part)] : []));
  if (texts.length + exchange.calls.length === 0) return;
  const calls = exchange.calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  yield {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join('\n\n'),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  for (const { id, output } of exchange.calls) yield { role: 'tool', tool_call_id: id, content: outputText(output) };
}

function userPart(part: UserPart): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return part.type === 'image' ? { type: 'image_url', image_url: { url: addressOf(part) } } : filePart(part);
}

const addressOf = ({ image, mediaType }: ImagePart): string =>
  isLink(image) || image.startsWith('data:') ? image : `data:${mediaType ?? 'image/png'};base64,${image}`;

function filePart(part: FilePart): object {
  const { data, mediaType, filename } = part;
  if (isLink(data)) return { type: 'text', text: `${placeholder(part)} ${data}` };
  if (mediaType.startsWith('audio/')) return { type: 'input_audio', input_audio: { data, format: mediaType.slice('audio/'.length) } };
  return {
    type: 'file',
    file: { filename: filename ?? 'file', file_data: data.startsWith('data:') ? data : `data:${mediaType};base64,${data}` },
  };
}
