/** A document as sessions of message elements, whether it was parsed whole or is streamed. */
import { isUtf8 } from 'node:buffer';
import { isTooDeep, type Json } from '@palimpsest/contracts';
import { raw } from '../bytes/decode.ts';
import type { Snapshot } from '../bytes/snapshot.ts';
import { clipped, TOO_DEEP_NOTE } from '../json/depth.ts';
import { NOT_UTF8_NOTE } from '../json/lines.ts';
import { listOf, objectOf } from '../json/values.ts';
import type { NotePiece, SkipPiece } from '../pieces.ts';
import type { Layout } from './layout.ts';

/** A list element (`index`), a value beside the list (`key`), or something odd about the text around them (`piece`). `tooLong`: bytes of an element above the limit; its value is null. */
export interface ElementPart {
  readonly session: number;
  readonly index: number;
  readonly value: Json;
  readonly tooLong?: number;
}
export type DocumentPart =
  | ElementPart
  | { readonly session: number; readonly key: string; readonly value: Json }
  | { readonly session: number; readonly piece: SkipPiece | NotePiece };

export interface SessionDocument {
  /** Everything, for the first pass. `onRaw` sees the raw bytes. */
  all(onRaw: (chunk: Buffer) => void): AsyncIterable<readonly DocumentPart[]>;
  /** One session's parts. */
  session(index: number): AsyncIterable<readonly DocumentPart[]>;
}

/** A document that is held in memory; `notes` are about its bytes. */
export class ParsedDocument implements SessionDocument {
  readonly #snapshot: Snapshot;
  readonly #sessions: readonly DocumentPart[][];

  constructor(snapshot: Snapshot, value: Json, layout: Layout, notes: readonly string[]) {
    this.#snapshot = snapshot;
    const sessions = layout.many
      ? (listOf(value) ?? []).map((one, index) => (objectOf(one) === null ? [noSession(index)] : partsOf(one, layout.key, index)))
      : [partsOf(value, layout.key, 0)];
    sessions[0]?.unshift(...noteParts(notes));
    this.#sessions = sessions;
  }

  async *all(onRaw: (chunk: Buffer) => void): AsyncGenerator<readonly DocumentPart[]> {
    for await (const chunk of raw(this.#snapshot, 0, {})) onRaw(chunk);
    yield* this.#sessions;
  }

  async *session(index: number): AsyncGenerator<readonly DocumentPart[]> {
    yield this.#sessions[index] ?? [];
  }
}

/** An element of a list of sessions that is none. */
export const noSession = (session: number): DocumentPart => ({
  session,
  piece: { type: 'skip', at: 0, reason: 'malformed', detail: 'no session' },
});
/** Notes on the bytes of a document stand with its first session. */
export const noteParts = (notes: readonly string[], session = 0, at = 0): DocumentPart[] =>
  notes.map((reason) => ({ session, piece: { type: 'note', at, reason } }));

/** A value as it can be worked with, and what is odd about it. */
export function readable(value: Json, bytes: Buffer): { readonly value: Json; readonly notes: readonly string[] } {
  const isDeep = isTooDeep(value);
  return { value: isDeep ? clipped(value) : value, notes: [...(isUtf8(bytes) ? [] : [NOT_UTF8_NOTE]), ...(isDeep ? [TOO_DEEP_NOTE] : [])] };
}

/** One session's parts, of a list or of an object that holds one. */
export function partsOf(value: Json, listKey: string | null, session: number): DocumentPart[] {
  if (listKey === null) return (listOf(value) ?? []).map((element, index) => ({ session, index, value: element }));
  return Object.entries(objectOf(value) ?? {}).flatMap(([key, inner]): DocumentPart[] =>
    key === listKey && Array.isArray(inner)
      ? inner.map((element, index) => ({ session, index, value: element }))
      : [{ session, key, value: inner }],
  );
}
