/** Gemini's parts as message parts. */
import type { AssistantPart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { has, isBlank, listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, type NoteStep } from '../steps.ts';
import { userContentOf, type UserContent } from '../user-content.ts';

/** A string, one part, or a list of parts. */
export const partsOf = (content: Json | undefined): Json[] =>
  typeof content === 'string' ? [{ text: content }] : (listOf(content) ?? (objectOf(content) === null ? [] : [content ?? {}]));
export const isResponse = (part: Json): boolean => objectOf(objectOf(part)?.['functionResponse']) !== null;
const isFact = (part: JsonObject): boolean => textOf(part['text']) !== null || has(part, 'inlineData') || has(part, 'fileData');

const partText = (part: Json): string | null => (typeof part === 'string' ? part : textOf(objectOf(part)?.['text']));

/** Media without data are known all the same: they are kept as they are, without a note. */
export function userContent(parts: readonly Json[]): UserContent {
  const kept = (part: JsonObject): UserPart => ({ type: 'text', text: stringify(part) });
  return userContentOf(parts, { text: partText, media: (part) => (isFact(part) ? [mediaPart(part) ?? kept(part)] : null) });
}

/** `inlineData` holds the bytes, `fileData` a link, which is never fetched. */
function mediaPart(part: JsonObject): UserPart | null {
  const media = objectOf(part['inlineData']) ?? objectOf(part['fileData']);
  const data = textOf(media?.['data']) ?? textOf(media?.['fileUri']);
  if (media === null || data === null) return null;
  const mediaType = nameOf(media['mimeType']) ?? 'application/octet-stream';
  const filename = nameOf(media['displayName']);
  return mediaType.startsWith('image/')
    ? { type: 'image', image: data, mediaType }
    : { type: 'file', data, mediaType, ...(filename === null ? {} : { filename }) };
}

/** Text, thoughts and calls of a model message. `callId` names a call that has no id. */
export function assistantContent(
  parts: readonly Json[],
  callId: (call: JsonObject, index: number) => string,
): { readonly parts: AssistantPart[]; readonly thinking: number; readonly signed: number; readonly notes: readonly NoteStep[] } {
  const found = { parts: [] as AssistantPart[], thinking: 0, signed: 0, notes: [] as NoteStep[] };
  for (const [index, part] of parts.entries()) {
    const object = typeof part === 'string' ? { text: part } : (objectOf(part) ?? {});
    if (object['thought'] === true) {
      const made = thoughtParts(object);
      found.thinking += made.length > 0 ? 1 : 0;
      found.signed += made.some((one) => one.type === 'opaque') ? 1 : 0;
      found.parts.push(...made);
    } else {
      const made = saidParts(object, (call) => callId(call, index));
      if (made.some((one) => one.type === 'opaque')) found.notes.push(note('unknown-block'));
      found.parts.push(...made);
    }
  }
  return found;
}

function thoughtParts(part: JsonObject): AssistantPart[] {
  const text = textOf(part['text']) ?? '';
  return [
    ...(isBlank(text) ? [] : [{ type: 'reasoning' as const, text }]),
    ...(nameOf(part['thoughtSignature']) === null ? [] : [opaque('thought', part)]),
  ];
}

function saidParts(part: JsonObject, callId: (call: JsonObject) => string): AssistantPart[] {
  const call = objectOf(part['functionCall']);
  if (call !== null)
    return [
      {
        type: 'tool-call',
        toolCallId: callId(call),
        toolName: nameOf(call['name']) ?? 'unknown',
        input: call['args'] ?? {},
        ...signed(part),
      },
    ];
  const text = textOf(part['text']);
  if (text !== null && !isBlank(text)) return [{ type: 'text', text, ...signed(part) }];
  if (text !== null) return nameOf(part['thoughtSignature']) === null ? [] : [opaque('signature', part)];
  const media = mediaPart(part);
  if (media?.type === 'file') return [media];
  if (media?.type === 'image') return [{ type: 'file', data: media.image, mediaType: media.mediaType ?? 'image/png' }];
  return [opaque(Object.keys(part)[0] ?? 'unknown', part)];
}

const opaque = (format: string, part: JsonObject): AssistantPart => ({
  type: 'opaque',
  provider: 'google',
  format,
  bytes: stringify(part),
});

/** A signature beside text or a call means something to its provider alone. */
function signed(part: JsonObject): { providerOptions?: { google: { thoughtSignature: string } } } {
  const thoughtSignature = nameOf(part['thoughtSignature']);
  return thoughtSignature === null ? {} : { providerOptions: { google: { thoughtSignature } } };
}

type ContentPart = Extract<ToolOutput, { type: 'content' }>['value'][number];

/** What the model was given for a call: the responses' text, and pictures beside them. Null: nothing that says anything. */
export function toolOutput(result: Json | undefined, failed: boolean): { readonly output: ToolOutput; readonly images: number } | null {
  const parts = partsOf(result).map((part) => (typeof part === 'string' ? { text: part } : (objectOf(part) ?? {})));
  if (parts.length === 0) return null;
  const content = parts.flatMap(contentParts);
  const images = content.filter((part) => part.type === 'image-data').length;
  if (images > 0) return { output: { type: 'content', value: content }, images };
  const [only] = parts;
  const response = parts.length === 1 ? objectOf(objectOf(only?.['functionResponse'])?.['response']) : null;
  const error = response !== null && has(response, 'error');
  if (response !== null && responseText(response) === null)
    return { output: { type: failed ? 'error-json' : 'json', value: response }, images };
  const value = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { output: { type: failed || error ? 'error-text' : 'text', value }, images };
}

function contentParts(part: JsonObject): ContentPart[] {
  const response = objectOf(part['functionResponse']);
  if (response !== null) {
    const inner = objectOf(response['response']) ?? {};
    return [
      { type: 'text', text: responseText(inner) ?? stringify(inner) },
      ...(listOf(response['parts']) ?? []).flatMap((one) => contentParts(objectOf(one) ?? {})),
    ];
  }
  const text = textOf(part['text']);
  if (text !== null) return [{ type: 'text', text }];
  const media = mediaPart(part);
  if (media?.type === 'image' && has(part, 'inlineData'))
    return [{ type: 'image-data', data: media.image, mediaType: media.mediaType ?? 'image/png' }];
  return [
    { type: 'text', text: media === null || media.type === 'text' ? stringify(part) : `[file of type ${media.mediaType ?? 'unknown'}]` },
  ];
}

/** Null: an object of its own making. */
const responseText = (response: JsonObject): string | null => textOf(response['output']) ?? textOf(response['error']);
