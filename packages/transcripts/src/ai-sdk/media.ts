/** Files and images in the several shapes they had over the generations. */
import type { FilePart, ImagePart, Json, ToolOutput, UserPart } from '@palimpsest/contracts';
import { contentPart, type ContentPart } from '../anthropic/media.ts';
import { listOf, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { dataAddress } from '../user-content.ts';

/** Null: no data that could be told. */
export function filePart(part: JsonObject): UserPart | null {
  const found = dataOf(part['data']) ?? dataOf(part['image']) ?? dataOf(part['url']) ?? reference(part);
  if (found === null) return null;
  if (found.text !== undefined) return { type: 'text', text: found.text };
  const address = dataAddress(found.data);
  const mediaType =
    nameOf(part['mediaType']) ??
    nameOf(part['mimeType']) ??
    nameOf(part['mime']) ??
    nameOf(part['contentType']) ??
    address?.mediaType ??
    null;
  const data = address?.data ?? found.data;
  return part['type'] === 'image' || mediaType?.startsWith('image/') === true
    ? imagePart(data, mediaType)
    : otherPart(data, mediaType, part);
}

const imagePart = (image: string, mediaType: string | null): ImagePart => ({
  type: 'image',
  image,
  ...(mediaType === null || mediaType === 'image/*' ? {} : { mediaType }),
});
function otherPart(data: string, mediaType: string | null, part: JsonObject): FilePart {
  const filename = nameOf(part['filename']) ?? nameOf(part['name']);
  return { type: 'file', data, mediaType: mediaType ?? 'application/octet-stream', ...(filename === null ? {} : { filename }) };
}

interface Data {
  readonly data: string;
  readonly text?: string;
}
/** A string (address or base64), bytes as they are written to JSON, or a tagged value. */
function dataOf(value: Json | undefined): Data | null {
  if (typeof value === 'string') return value === '' ? null : { data: value };
  const object = objectOf(value);
  if (object === null) return null;
  if (object['type'] === 'text') return { data: '', text: textOf(object['text']) ?? '' };
  if (object['type'] === 'reference') return reference(object);
  if (object['type'] === 'Buffer') return bytesOf(listOf(object['data']) ?? []);
  if (Object.hasOwn(object, '0')) return bytesOf(Object.values(object));
  return dataOf(object['data'] ?? object['url']);
}
const bytesOf = (bytes: readonly Json[]): Data => ({ data: Buffer.from(bytes.map(Number)).toString('base64') });

/** The file lies with the provider: its name there is kept. */
function reference(part: JsonObject): Data | null {
  const held = part['reference'] ?? part['providerReference'] ?? part['fileId'];
  return held === undefined || held === null ? null : { data: typeof held === 'string' ? held : stringify(held) };
}

/** The tagged `output` of a result, or a bare one as older generations had it. */
export function outputOf(output: Json | undefined, failed = false): { readonly output: ToolOutput; readonly images: number } {
  const object = objectOf(output);
  const plain = object === null ? null : tagged(nameOf(object['type']) ?? '', object);
  if (plain !== null) return { output: plain, images: 0 };
  const list = object?.['type'] === 'content' ? listOf(object['value']) : null;
  if (list === null) return { output: bareOutput(output, failed), images: 0 };
  return contentOutput(list);
}

function tagged(type: string, { value, reason }: JsonObject): ToolOutput | null {
  if (type === 'text' || type === 'error-text') return { type, value: typeof value === 'string' ? value : stringify(value ?? '') };
  if (type === 'json' || type === 'error-json') return { type, value: value ?? null };
  return type === 'execution-denied' ? { type: 'error-text', value: deniedText(reason) } : null;
}
export const deniedText = (reason: Json | undefined): string => {
  const said = nameOf(reason);
  return said === null ? 'The call was denied.' : `The call was denied: ${said}`;
};

export const bareOutput = (output: Json | undefined, failed: boolean): ToolOutput =>
  typeof output === 'string' || output === undefined
    ? { type: failed ? 'error-text' : 'text', value: output ?? '' }
    : { type: failed ? 'error-json' : 'json', value: output };

export function contentOutput(list: readonly Json[]): { readonly output: ToolOutput; readonly images: number } {
  const value = list.map((one): ContentPart => {
    const object = objectOf(one) ?? {};
    if (object['type'] === 'text') return { type: 'text', text: textOf(object['text']) ?? '' };
    const part = MEDIA.test(nameOf(object['type']) ?? '') ? filePart({ ...object, type: kindOf(object) }) : null;
    return part === null ? { type: 'text', text: stringify(one) } : contentPart(part);
  });
  return { output: { type: 'content', value }, images: value.filter((part) => part.type === 'image-data').length };
}
const MEDIA = /^(?:media|image|file)(?:-|$)/u;
const kindOf = (object: JsonObject): string => (String(object['type']).startsWith('image') ? 'image' : 'file');
