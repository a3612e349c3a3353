/** A document as sessions of message elements, whether it was parsed whole or is streamed. */
import type { Json } from '@palimpsest/contracts';
import { listOf, objectOf } from '../json/values.ts';
import type { Layout } from './layout.ts';

/** A list element (`index`), or a value beside the list (`key`). `tooLong`: bytes of an element above the limit; its value is null. */
export interface ElementPart { readonly session: number; readonly index: number; readonly value: Json; readonly tooLong?: number }
export type DocumentPart = ElementPart | { readonly session: number; readonly key: string; readonly value: Json };

export interface SessionDocument {
  /** Everything, for the first pass. `onRaw` sees the raw bytes. */
  all(onRaw: (chunk: Buffer) => void): AsyncIterable<readonly DocumentPart[]>;
  /** One session's parts. */
  session(index: number): AsyncIterable<readonly DocumentPart[]>;
}

/** A document that is held in memory. */
export class ParsedDocument implements SessionDocument {
  readonly #sessions: readonly DocumentPart[][];

  constructor(value: Json, layout: Layout) {
    this.#sessions = layout.many ? (listOf(value) ?? []).map((one, index) => partsOf(one, layout.key, index)) : [partsOf(value, layout.key, 0)];
  }

  async *all(): AsyncGenerator<readonly DocumentPart[]> {
    yield* this.#sessions;
  }

  async *session(index: number): AsyncGenerator<readonly DocumentPart[]> {
    yield this.#sessions[index] ?? [];
  }
}

/** One session's parts, of a list or of an object that holds one. */
export function partsOf(value: Json, listKey: string | null, session: number): DocumentPart[] {
  if (listKey === null) return (listOf(value) ?? []).map((element, index) => ({ session, index, value: element }));
  return Object.entries(objectOf(value) ?? {}).flatMap(([key, inner]): DocumentPart[] =>
    key === listKey && Array.isArray(inner) ? inner.map((element, index) => ({ session, index, value: element })) : [{ session, key, value: inner }],
  );
}
