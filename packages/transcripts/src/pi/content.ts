/** pi's content blocks as message parts. */
import type { AssistantPart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { sliceAt } from '../json/slice.ts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, type NoteStep } from '../steps.ts';
import { userContentOf, type UserContent } from '../user-content.ts';

const typeOf = (block: Json): Json | undefined => objectOf(block)?.['type'];
const blockText = (block: Json): string | null => (typeOf(block) === 'text' ? textOf(objectOf(block)?.['text']) : null);

/** A string, or blocks of text and images. An image whose bytes are out of reach counts as one, too. */
export function userContent(value: Json | undefined): UserContent {
  const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : (listOf(value) ?? []);
  const { content, notes } = userContentOf(blocks, {
    text: blockText,
    media: (block) => (block['type'] === 'image' ? [imagePart(block)] : null),
  });
  return { content, images: blocks.filter((block) => typeOf(block) === 'image').length, notes };
}

/** The family keeps large images in a store beside the file: their bytes are out of reach, the reference stays. */
function imagePart(block: JsonObject): UserPart {
  const data = textOf(block['data']) ?? '';
  if (data === '' || data.startsWith('blob:'))
    return { type: 'text', text: `[image kept outside the transcript: ${data === '' ? 'no data' : data}]` };
  return { type: 'image', image: data, mediaType: nameOf(block['mimeType']) ?? 'image/png' };
}

export function toolOutput(
  value: Json | undefined,
  failed: boolean,
): { readonly output: ToolOutput; readonly images: number; readonly notes: readonly NoteStep[] } {
  const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : (listOf(value) ?? []);
  const notes: NoteStep[] = [];
  const parts = blocks.map((block) => resultPart(block, notes));
  const images = blocks.filter((block) => objectOf(block)?.['type'] === 'image').length;
  if (parts.some((part) => part.type === 'image-data')) return { output: { type: 'content', value: parts }, images, notes };
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { output: { type: failed ? 'error-text' : 'text', value: text }, images, notes };
}

type ContentPart = Extract<ToolOutput, { type: 'content' }>['value'][number];

function resultPart(block: Json, notes: NoteStep[]): ContentPart {
  const object = objectOf(block) ?? {};
  const text = object['type'] === 'text' ? textOf(object['text']) : null;
  if (text !== null) return { type: 'text', text };
  if (object['type'] !== 'image') {
    notes.push(note('unknown-block'));
    return { type: 'text', text: stringify(block) };
  }
  const image = imagePart(object);
  return image.type === 'image'
    ? { type: 'image-data', data: image.image, mediaType: image.mediaType ?? 'image/png' }
    : { type: 'text', text: image.type === 'text' ? image.text : '' };
}

export interface AssistantContent {
  readonly parts: AssistantPart[];
  readonly thinking: number;
  readonly signed: number;
  readonly notes: readonly NoteStep[];
}

/** `text`: the record's own JSON, to cut signed blocks out of it byte for byte. */
export function assistantContent(message: JsonObject, text: string | null, line: number): AssistantContent {
  const provider = nameOf(message['provider']) ?? nameOf(message['api']) ?? 'unknown';
  const blocks = typeof message['content'] === 'string' ? [{ type: 'text', text: message['content'] }] : (listOf(message['content']) ?? []);
  const found = { parts: [] as AssistantPart[], thinking: 0, signed: 0, notes: [] as NoteStep[] };
  for (const [index, block] of blocks.entries()) {
    const object = objectOf(block) ?? {};
    const bytes = (): string => (text === null ? null : sliceAt(text, ['message', 'content', index])) ?? stringify(block);
    const parts = assistantPart(object, { provider, bytes, fallbackId: `call-${String(line)}-${String(index)}` });
    if (object['type'] === 'thinking' && parts.length > 0) found.thinking++;
    if (object['type'] === 'thinking' && parts.some((part) => part.type === 'opaque')) found.signed++;
    if (object['type'] !== 'thinking' && parts.some((part) => part.type === 'opaque')) found.notes.push(note('unknown-block'));
    found.parts.push(...parts);
  }
  return found;
}

interface BlockContext {
  readonly provider: string;
  readonly bytes: () => string;
  readonly fallbackId: string;
}

function assistantPart(block: JsonObject, { provider, bytes, fallbackId }: BlockContext): AssistantPart[] {
  switch (block['type']) {
    case 'text':
      return isBlank(textOf(block['text']) ?? '')
        ? []
        : [{ type: 'text', text: textOf(block['text']) ?? '', ...tagged('textSignature', block) }];
    case 'thinking':
      return thinkingParts(block, provider, bytes);
    case 'toolCall':
      return [
        {
          type: 'tool-call',
          toolCallId: nameOf(block['id']) ?? fallbackId,
          toolName: nameOf(block['name']) ?? 'unknown',
          input: block['arguments'] ?? {},
          ...tagged('thoughtSignature', block),
        },
      ];
    default:
      return [{ type: 'opaque', provider, format: nameOf(block['type']) ?? 'unknown', bytes: bytes() }];
  }
}

function thinkingParts(block: JsonObject, provider: string, bytes: () => string): AssistantPart[] {
  const text = textOf(block['thinking']) ?? '';
  const signed = nameOf(block['thinkingSignature']) !== null || block['redacted'] === true;
  const format = block['redacted'] === true ? 'pi-redacted-thinking' : 'pi-thinking';
  return [
    ...(text === '' ? [] : [{ type: 'reasoning' as const, text }]),
    ...(signed ? [{ type: 'opaque' as const, provider, format, bytes: bytes() }] : []),
  ];
}

/** Signatures beside text and calls mean something to their provider alone: kept as its options. */
function tagged(key: string, block: JsonObject): { providerOptions?: { pi: { [key: string]: Json } } } {
  const signature = nameOf(block[key]);
  return signature === null ? {} : { providerOptions: { pi: { [key]: signature } } };
}
