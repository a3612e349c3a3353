/** Content of items and of outputs as parts. */
import type { AssistantPart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { contentPart, type Output } from '../anthropic/media.ts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { dataAddress, partOrNull, userContentOf, type UserContent } from '../user-content.ts';

export const blocksOf = (content: Json | undefined): Json[] =>
  typeof content === 'string' ? [{ type: 'input_text', text: content }] : (listOf(content) ?? []);

const TEXTS = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']);
/** Null: the block is no text. A refusal is text. */
export function blockText(block: Json): string | null {
  if (typeof block === 'string') return block;
  const object = objectOf(block);
  if (object === null) return null;
  if (object['type'] === 'refusal') return textOf(object['refusal']);
  return TEXTS.has(nameOf(object['type']) ?? '') ? textOf(object['text']) : null;
}

export function userContent(content: Json | undefined): UserContent {
  return userContentOf(blocksOf(content), { text: blockText, media: (block) => partOrNull(mediaPart(block)) });
}

/** A data address is taken apart; links and ids of stored files stay as they are. */
function mediaPart(block: JsonObject): UserPart | null {
  const url = textOf(objectOf(block['image_url'])?.['url']) ?? nameOf(block['image_url']) ?? nameOf(block['file_url']);
  const source = url ?? nameOf(block['file_data']) ?? nameOf(block['file_id']);
  if (source === null) return block['type'] === 'input_audio' ? audioPart(objectOf(block['input_audio']) ?? block) : null;
  const data = dataAddress(source);
  if (['input_image', 'image_url', 'computer_screenshot', 'image'].includes(nameOf(block['type']) ?? ''))
    return data === null ? { type: 'image', image: source } : { type: 'image', image: data.data, mediaType: data.mediaType };
  if (block['type'] !== 'input_file' && block['type'] !== 'file') return null;
  const filename = nameOf(block['filename']);
  return {
    type: 'file',
    data: data?.data ?? source,
    mediaType: data?.mediaType ?? 'application/octet-stream',
    ...(filename === null ? {} : { filename }),
  };
}

function audioPart(audio: JsonObject): UserPart | null {
  const data = nameOf(audio['data']);
  return data === null ? null : { type: 'file', data, mediaType: `audio/${nameOf(audio['format']) ?? 'wav'}` };
}

/** A string, parts, a screenshot, `{content, success}` of old clients, or whatever else a tool has: then JSON. */
export function outputOf(output: Json | undefined, failed = false): Output {
  const object = objectOf(output);
  if (object !== null && typeof object['content'] === 'string') return outputOf(object['content'], failed || object['success'] === false);
  if (output === undefined || output === null || typeof output === 'string')
    return { output: textOutput(output ?? '', failed), images: 0, notes: [] };
  const blocks = Array.isArray(output) ? output : [output];
  const texts = blocks.map(blockText);
  if (texts.every((text) => text !== null)) return { output: textOutput(texts.join('\n'), failed), images: 0, notes: [] };
  const known = blocks.every((block) => blockText(block) !== null || mediaPart(objectOf(block) ?? {}) !== null);
  if (!known) return { output: { type: failed ? 'error-json' : 'json', value: output }, images: 0, notes: [] };
  const { content, images, notes } = userContent(blocks);
  return { output: { type: 'content', value: content.map(contentPart) }, images, notes };
}

const textOutput = (value: string, failed: boolean): ToolOutput => ({ type: failed ? 'error-text' : 'text', value });

/** The readable summary, and the whole item where only the provider can use it. */
export function reasoningParts(item: JsonObject): { readonly parts: AssistantPart[]; readonly signed: boolean } {
  const text = [...blocksOf(item['summary']), ...blocksOf(item['content'])]
    .flatMap((block) => blockText(block) ?? [])
    .filter((one) => !isBlank(one))
    .join('\n\n');
  const signed = nameOf(item['encrypted_content']) !== null;
  const readable: AssistantPart[] = text === '' ? [] : [{ type: 'reasoning', text }];
  const bytes = signed || text === '';
  return { parts: [...readable, ...(bytes ? [opaqueItem(item)] : [])], signed };
}

export const opaqueItem = (item: JsonObject): AssistantPart => ({
  type: 'opaque',
  provider: 'openai',
  format: nameOf(item['type']) ?? 'unknown',
  bytes: stringify(item),
});
