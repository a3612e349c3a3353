/** What stands in role user and in results, whatever the format calls its blocks. */
import type { Json, UserPart } from '@palimpsest/contracts';
import { isBlank, nameOf, objectOf, stringify, type JsonObject } from './json/values.ts';
import { note, type NoteStep } from './steps.ts';

export interface UserContent {
  readonly content: UserPart[];
  readonly images: number;
  readonly notes: readonly NoteStep[];
}

/** How a format spells its blocks. */
export interface Spelling {
  /** Null: the block is no text. */
  text(block: Json): string | null;
  /** Null: a block of a type unknown here, or one without data. */
  media(block: JsonObject): readonly UserPart[] | null;
}

/** Blank text is dropped; a block that is neither text nor a known medium is kept as JSON text, and noted. */
export function userContentOf(blocks: readonly Json[], spelling: Spelling): UserContent {
  const notes: NoteStep[] = [];
  const content = blocks.flatMap((block): readonly UserPart[] => {
    const text = spelling.text(block);
    if (text !== null) return isBlank(text) ? [] : [{ type: 'text', text }];
    const parts = spelling.media(objectOf(block) ?? {});
    if (parts === null) notes.push(note('unknown-block'));
    return parts ?? [{ type: 'text', text: stringify(block) }];
  });
  return { content, images: content.filter((part) => part.type === 'image').length, notes };
}

/** One part, or none. */
export function partOrNull(part: UserPart | null): readonly UserPart[] | null {
  return part === null ? null : [part];
}

/** The bytes and type in a `data:` address in base64; null: it is another address. */
export function dataAddress(url: string): { readonly mediaType: string; readonly data: string } | null {
  const begin = /^data:([^;,]*)(?:;[^,]*)?;base64,/u.exec(url);
  return begin === null ? null : { mediaType: nameOf(begin[1]) ?? 'application/octet-stream', data: url.slice(begin[0].length) };
}
