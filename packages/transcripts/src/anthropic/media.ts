/** Blocks that stand in role user and in results: text, images, documents. */
import type { Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import type { NoteStep } from '../steps.ts';
import { userContentOf, type UserContent } from '../user-content.ts';

export const blocksOf = (content: Json | undefined): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (listOf(content) ?? []);
export const typeOf = (block: Json | undefined): string => nameOf(objectOf(block)?.['type']) ?? '';
/** Null: the block is no text. */
export const blockText = (block: Json): string | null =>
  typeof block === 'string' ? block : typeOf(block) === 'text' ? textOf(objectOf(block)?.['text']) : null;

/** Blank text is dropped. */
export function userContent(blocks: readonly Json[]): UserContent {
  return userContentOf(blocks, { text: blockText, media: mediaParts });
}

/** Null: a block of a type unknown here, or one without data. */
function mediaParts(block: JsonObject): UserPart[] | null {
  switch (block['type']) {
    case 'image':
    case 'media':
    case 'document':
    case 'file':
      return sourceParts(block);
    case 'container_upload': {
      const id = nameOf(block['file_id']);
      return id === null ? null : [{ type: 'file', data: id, mediaType: 'application/octet-stream' }];
    }
    case 'search_result':
      return [{ type: 'text', text: searchText(block) }];
    case 'tool_reference':
      return [{ type: 'text', text: `[tool: ${nameOf(block['tool_name']) ?? 'unknown'}]` }];
    default:
      return null;
  }
}

/** Data stands in `source`, or in the block itself. A link stays a link and is never fetched. */
function sourceParts(block: JsonObject): UserPart[] | null {
  const source = objectOf(block['source']) ?? block;
  const mediaType = nameOf(source['media_type']) ?? nameOf(source['mediaType']) ?? nameOf(source['mimeType']);
  const name = nameOf(block['title']) ?? nameOf(block['filename']) ?? nameOf(block['path']);
  if (source['type'] === 'text') return [filePart(Buffer.from(textOf(source['data']) ?? '').toString('base64'), 'text/plain', name)];
  const data = nameOf(source['data']) ?? nameOf(source['url']) ?? nameOf(source['file_id']);
  if (data === null) return innerParts(source['content']);
  if (block['type'] === 'image' || mediaType?.startsWith('image/') === true)
    return [{ type: 'image', image: data, ...(mediaType === null ? {} : { mediaType }) }];
  return [filePart(data, mediaType ?? (block['type'] === 'document' ? 'application/pdf' : 'application/octet-stream'), name)];
}

const filePart = (data: string, mediaType: string, filename: string | null): UserPart => ({
  type: 'file',
  data,
  mediaType,
  ...(filename === null ? {} : { filename }),
});

function innerParts(content: Json | undefined): UserPart[] | null {
  const blocks = blocksOf(content);
  return blocks.length === 0 ? null : userContent(blocks).content;
}

function searchText(block: JsonObject): string {
  const head = [nameOf(block['title']), nameOf(block['source'])].filter((one) => one !== null).join(', ');
  return [`[search result: ${head}]`, ...blocksOf(block['content']).map((one) => blockText(one) ?? stringify(one))].join('\n');
}

export interface Output {
  readonly output: ToolOutput;
  readonly images: number;
  readonly notes: readonly NoteStep[];
}
export type ContentPart = Extract<ToolOutput, { type: 'content' }>['value'][number];

/** The content of a result: a string, blocks, or absent. */
export function toolOutput(content: Json | undefined, failed: boolean): Output {
  const blocks = blocksOf(content);
  const texts = blocks.map(blockText);
  if (texts.every((text) => text !== null)) return { output: textOutput(texts.join('\n'), failed), images: 0, notes: [] };
  const { content: parts, images, notes } = userContent(blocks);
  const value = parts.map(contentPart);
  if (value.every((part) => part.type === 'text'))
    return { output: textOutput(value.map((part) => part.text).join('\n'), failed), images, notes };
  // Content has no flag of its own for a failure.
  const said: ContentPart[] = failed ? [{ type: 'text', text: 'The tool reported an error.' }] : [];
  return { output: { type: 'content', value: [...said, ...value] }, images, notes };
}

export const textOutput = (value: string, failed: boolean): ToolOutput => ({ type: failed ? 'error-text' : 'text', value });

export function contentPart(part: UserPart): ContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'file') return { type: 'text', text: `[file ${part.filename ?? ''} of type ${part.mediaType}]` };
  return part.mediaType === undefined || /^[a-z]+:\/\//iu.test(part.image)
    ? { type: 'text', text: `[image: ${part.image}]` }
    : { type: 'image-data', data: part.image, mediaType: part.mediaType };
}
