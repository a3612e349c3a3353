/** Chat content (strings and parts) as message parts. */
import type { AssistantPart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, parseText, type JsonObject } from '../json/values.ts';
import { note, type NoteStep } from '../steps.ts';
import { dataAddress, partOrNull, userContentOf, type UserContent } from '../user-content.ts';

const blocksOf = (content: Json | undefined): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (listOf(content) ?? []);

/** The text of a text part, in each of its spellings. */
function blockText(block: Json): string | null {
  if (typeof block === 'string') return block;
  const object = objectOf(block);
  return object !== null && ['text', 'input_text', 'output_text'].includes(nameOf(object['type']) ?? '')
    ? textOf(object['text'])
    : object !== null && object['type'] === 'refusal'
      ? textOf(object['refusal'])
      : null;
}

export function userContent(content: Json | undefined): UserContent {
  return userContentOf(blocksOf(content), { text: blockText, media: (block) => partOrNull(mediaPart(block)) });
}

function mediaPart(block: JsonObject): UserPart | null {
  switch (block['type']) {
    case 'image_url':
    case 'input_image':
      return imageOf(textOf(objectOf(block['image_url'])?.['url']) ?? textOf(block['image_url']));
    case 'input_audio': {
      const audio = objectOf(block['input_audio']);
      return { type: 'file', data: textOf(audio?.['data']) ?? '', mediaType: `audio/${nameOf(audio?.['format']) ?? 'wav'}` };
    }
    case 'file':
      return fileOf(objectOf(block['file']) ?? {});
    default:
      return null;
  }
}

/** A data address is taken apart; a link stays a link and is never fetched. */
function imageOf(url: string | null): UserPart | null {
  if (url === null) return null;
  const data = dataAddress(url);
  return data === null ? { type: 'image', image: url } : { type: 'image', image: data.data, mediaType: data.mediaType };
}

function fileOf(file: JsonObject): UserPart | null {
  const source = textOf(file['file_data']) ?? textOf(file['file_id']);
  if (source === null) return null;
  const data = dataAddress(source);
  const filename = nameOf(file['filename']);
  return {
    type: 'file',
    data: data?.data ?? source,
    mediaType: data?.mediaType ?? 'application/octet-stream',
    ...(filename === null ? {} : { filename }),
  };
}

export function toolOutput(content: Json | undefined): {
  readonly output: ToolOutput;
  readonly images: number;
  readonly notes: readonly NoteStep[];
} {
  if (typeof content === 'string' || content === null || content === undefined)
    return { output: { type: 'text', value: content ?? '' }, images: 0, notes: [] };
  if (!Array.isArray(content)) return { output: { type: 'json', value: content }, images: 0, notes: [] };
  const texts = content.map(blockText);
  if (texts.every((text) => text !== null)) return { output: { type: 'text', value: texts.join('\n') }, images: 0, notes: [] };
  const { content: parts, images, notes } = userContent(content);
  return { output: { type: 'content', value: parts.map(resultPart) }, images, notes };
}

function resultPart(part: UserPart): Extract<ToolOutput, { type: 'content' }>['value'][number] {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image' && part.mediaType !== undefined) return { type: 'image-data', data: part.image, mediaType: part.mediaType };
  return {
    type: 'text',
    text: part.type === 'image' ? `[image: ${part.image}]` : `[file ${part.filename ?? ''} of type ${part.mediaType}]`,
  };
}

/** Text and refusals of a reply; other parts are kept as they are. */
export function assistantText(content: Json | undefined): { readonly parts: AssistantPart[]; readonly notes: readonly NoteStep[] } {
  const notes: NoteStep[] = [];
  const parts = blocksOf(content).flatMap((block): AssistantPart[] => {
    const text = blockText(block);
    if (text !== null) return isBlank(text) ? [] : [{ type: 'text', text }];
    notes.push(note('unknown-block'));
    return [{ type: 'opaque', provider: 'openai', format: nameOf(objectOf(block)?.['type']) ?? 'unknown', bytes: stringify(block) }];
  });
  return { parts, notes };
}

/** Arguments are a string that need not be JSON; an empty one means none. */
export function argumentsOf(value: Json | undefined): Json {
  if (typeof value !== 'string') return value ?? {};
  return value.trim() === '' ? {} : (parseText(value) ?? value);
}
