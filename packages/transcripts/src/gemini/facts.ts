/** What a reader of a Gemini session must know beforehand. */
import { nameOf, type JsonObject } from '../json/values.ts';

/** Where a version of a message stands: a record's number, and within a list that was put in place its index. */
export type Spot = string;
export const spot = (record: number, index: number | null): Spot =>
  index === null ? String(record) : `${String(record)}.${String(index)}`;

/** What keeps a place: a reply that comes later, or a text of the user's, which is short and therefore held. */
export type Place = { readonly reply: string } | { readonly text: JsonObject; readonly at: number };
export interface GeminiFacts {
  /** Versions that are not read. `known`: an element of a list that repeats a message. */
  readonly gone: ReadonlyMap<Spot, 'superseded' | 'rewound' | 'known'>;
  /** By the spot of a message's first version, what stands there. */
  readonly places: ReadonlyMap<Spot, Place>;
  /** By the spot of a message's last version, the place that it fills; null: it was read at its first place already. */
  readonly filled: ReadonlyMap<Spot, string | null>;
}
export const NOTHING_KNOWN: GeminiFacts = { gone: new Map(), places: new Map(), filled: new Map() };

export const isMessage = (value: JsonObject): boolean => nameOf(value['type']) !== null;
