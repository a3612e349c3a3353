/** Anthropic content blocks as message parts. */
import type { AssistantPart, FilePart, ImagePart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { sliceAt } from '../json/slice.ts';
import { isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, type NoteStep, type ResultStep } from '../steps.ts';
import { partOrNull, userContentOf, type UserContent } from '../user-content.ts';

export const blocksOf = (content: Json | undefined): Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (listOf(content) ?? []);
const typeOf = (block: Json): string => nameOf(objectOf(block)?.['type']) ?? '';
export const isResult = (block: Json): boolean => typeOf(block) === 'tool_result';

const blockText = (block: Json): string | null =>
  typeof block === 'string' ? block : typeOf(block) === 'text' ? textOf(objectOf(block)?.['text']) : null;

/** An image without data counts as one, too. */
export function userContent(blocks: readonly Json[]): UserContent {
  const { content, notes } = userContentOf(blocks, { text: blockText, media: (block) => partOrNull(mediaPart(block)) });
  return { content, images: blocks.filter((block) => typeOf(block) === 'image').length, notes };
}

/** `image` and `document` blocks; a link stays a link. */
function mediaPart(block: JsonObject): ImagePart | FilePart | null {
  const source = objectOf(block['source']);
  const data = textOf(source?.['data']) ?? textOf(source?.['url']) ?? textOf(source?.['file_id']);
  if (source === null || data === null) return null;
  const mediaType = nameOf(source['media_type']);
  if (block['type'] === 'image') return { type: 'image', image: data, ...(mediaType === null ? {} : { mediaType }) };
  if (block['type'] !== 'document') return null;
  const filename = nameOf(block['title']);
  return { type: 'file', data, mediaType: mediaType ?? 'application/pdf', ...(filename === null ? {} : { filename }) };
}

/** One result block. Its content is a string, blocks, or absent. */
export function resultStep(block: JsonObject): { readonly step: ResultStep; readonly notes: readonly NoteStep[] } {
  const blocks = blocksOf(block['content']);
  const callId = textOf(block['tool_use_id']) ?? '';
  const texts = blocks.map(blockText);
  if (texts.every((text) => text !== null)) {
    return {
      step: {
        do: 'result',
        callId,
        output: { type: block['is_error'] === true ? 'error-text' : 'text', value: texts.join('\n') },
        images: 0,
      },
      notes: [],
    };
  }
  const { content, images, notes } = userContent(blocks);
  return { step: { do: 'result', callId, output: { type: 'content', value: content.map(contentPart) }, images }, notes };
}

type ContentPart = Extract<ToolOutput, { type: 'content' }>['value'][number];

function contentPart(part: UserPart): ContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'file') return { type: 'text', text: `[document ${part.filename ?? ''} of type ${part.mediaType}]` };
  return part.mediaType === undefined
    ? { type: 'text', text: `[image: ${part.image}]` }
    : { type: 'image-data', data: part.image, mediaType: part.mediaType };
}

export interface AssistantContent {
  readonly parts: AssistantPart[];
  readonly thinking: number;
  readonly signed: number;
  readonly notes: readonly NoteStep[];
}

/** `text`: the record's own JSON, to cut signed blocks out of it byte for byte. */
export function assistantContent(content: Json | undefined, text: string | null, line: number): AssistantContent {
  const found = { parts: [] as AssistantPart[], thinking: 0, signed: 0, notes: [] as NoteStep[] };
  for (const [index, block] of blocksOf(content).entries()) {
    const bytes = (): string => (text === null ? null : sliceAt(text, ['message', 'content', index])) ?? stringify(block);
    const parts = assistantPart(objectOf(block) ?? {}, bytes, `call-${String(line)}-${String(index)}`);
    const opaque = parts.some((part) => part.type === 'opaque');
    const isThinking = typeOf(block) === 'thinking' || typeOf(block) === 'redacted_thinking';
    if (isThinking && parts.length > 0) found.thinking++;
    if (isThinking && opaque) found.signed++;
    if (!isThinking && opaque) found.notes.push(note('unknown-block'));
    found.parts.push(...parts);
  }
  return found;
}

const opaque = (format: string, bytes: string): AssistantPart => ({ type: 'opaque', provider: 'anthropic', format, bytes });

function assistantPart(block: JsonObject, bytes: () => string, fallbackId: string): AssistantPart[] {
  switch (block['type']) {
    case 'text':
      return isBlank(textOf(block['text']) ?? '') ? [] : [{ type: 'text', text: textOf(block['text']) ?? '' }];
    case 'thinking': {
      const text = textOf(block['thinking']) ?? '';
      return [
        ...(text === '' ? [] : [{ type: 'reasoning' as const, text }]),
        ...(nameOf(block['signature']) === null ? [] : [opaque('thinking', bytes())]),
      ];
    }
    case 'redacted_thinking':
      return [opaque('redacted_thinking', bytes())];
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          toolCallId: nameOf(block['id']) ?? fallbackId,
          toolName: nameOf(block['name']) ?? 'unknown',
          input: block['input'] ?? {},
        },
      ];
    default:
      return [opaque(nameOf(block['type']) ?? 'unknown', bytes())];
  }
}
