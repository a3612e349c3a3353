import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider';
import type { FilePart, ImagePart, WireName } from '@palimpsest/contracts';

type FileData = { readonly type: 'url'; readonly url: URL } | { readonly type: 'data'; readonly data: string };

/** A picture for the provider package. Nothing is fetched: a URL goes out as a URL. */
export function toImage(part: ImagePart): LanguageModelV4FilePart {
  const { data, mediaType } = located(part.image);
  return { type: 'file', data, mediaType: part.mediaType ?? mediaType ?? 'image/*', ...optionsOf(part) };
}

/** A file where the wire takes its type, else a line that names what was left out. */
export function toFile(part: FilePart, wire: WireName): LanguageModelV4FilePart | LanguageModelV4TextPart {
  const { data } = located(part.data);
  if (!takes(wire, part.mediaType, data.type)) return fileLine(part);
  return {
    type: 'file',
    data,
    mediaType: part.mediaType,
    ...(part.filename === undefined ? {} : { filename: part.filename }),
    ...optionsOf(part),
  };
}

export function fileLine(part: FilePart): LanguageModelV4TextPart {
  return { type: 'text', text: `[file: ${part.filename ?? part.mediaType}]` };
}

/** What the provider packages write for user files; anything else they refuse or drop. */
function takes(wire: WireName, mediaType: string, from: FileData['type']): boolean {
  if (mediaType.startsWith('image/')) return true;
  if (mediaType === 'application/pdf') return wire !== 'openai-chat' || from === 'data';
  if (wire === 'anthropic') return mediaType === 'text/plain';
  return wire === 'openai-chat' && from === 'data' && ['audio/wav', 'audio/mp3', 'audio/mpeg'].includes(mediaType);
}

function located(text: string): { readonly data: FileData; readonly mediaType?: string } {
  const inline = /^data:([^;,]*)(?:;[^,]*)?,/u.exec(text.slice(0, 256));
  if (inline !== null)
    return { data: { type: 'data', data: text.slice(inline[0].length) }, ...(inline[1] ? { mediaType: inline[1] } : {}) };
  return /^https?:\/\//u.test(text) && URL.canParse(text)
    ? { data: { type: 'url', url: new URL(text) } }
    : { data: { type: 'data', data: text } };
}

function optionsOf(part: ImagePart | FilePart): Pick<LanguageModelV4FilePart, 'providerOptions'> {
  return part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions };
}
