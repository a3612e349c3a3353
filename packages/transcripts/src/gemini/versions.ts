/**
 * What a reader must know beforehand: messages are written again under their id (the last content counts, at the place of the
 * first), a whole list may be put in place of the running one, and a rewind takes messages away.
 */
import type { Json } from '@palimpsest/contracts';
import type { MakeReader, Scout } from '../formats.ts';
import { has, listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { isMessage, spot, type GeminiFacts, type Place, type Spot } from './facts.ts';
import { isQuiet } from './messages.ts';
import { GeminiReader } from './reader.ts';

interface Message {
  readonly id: string | null;
  readonly first: Spot;
  last: Spot;
  isReply: boolean;
  isQuiet: boolean;
  /** Of a text that was written again: its newest version. */
  text: { readonly text: JsonObject; readonly at: number } | null;
}

export class Versions implements Scout {
  readonly #gone = new Map<Spot, 'superseded' | 'rewound' | 'known'>();
  readonly #byId = new Map<string, Message>();
  /** Everything that is not rewound; `#running` is the list as the client has it. */
  readonly #all = new Set<Message>();
  #running: Message[] = [];

  see({ at, value }: RecordPiece, number: number): void {
    if (has(value, '$rewindTo')) this.#rewind(nameOf(value['$rewindTo']));
    else if (has(value, '$set')) this.#set(listOf(objectOf(value['$set'])?.['messages']), number, at);
    else if (isMessage(value)) {
      const message = this.#version(value, spot(number, null), at);
      if (!this.#running.includes(message)) this.#running.push(message);
    }
  }

  finish(): { readonly reader: MakeReader; readonly again: boolean } {
    const places = new Map<Spot, Place>();
    const filled = new Map<Spot, string | null>();
    for (const { first, last, isReply, isQuiet: quiet, text } of this.#all) {
      if (first === last || quiet) continue;
      const place = isReply ? { reply: `version-${last}` } : text;
      if (place !== null) places.set(first, place);
      if (place !== null) filled.set(last, isReply ? `version-${last}` : null);
    }
    const facts: GeminiFacts = { gone: this.#gone, places, filled };
    return { reader: () => new GeminiReader(facts), again: this.#gone.size > 0 };
  }

  #version(value: JsonObject, here: Spot, at: number): Message {
    const id = nameOf(value['id']);
    const known = id === null ? undefined : this.#byId.get(id);
    const isReply = value['type'] === 'gemini';
    if (known === undefined) {
      const message: Message = { id, first: here, last: here, isReply, isQuiet: isQuiet(value), text: null };
      if (id !== null) this.#byId.set(id, message);
      this.#all.add(message);
      return message;
    }
    this.#gone.set(known.last, 'superseded');
    Object.assign(known, { last: here, isReply, isQuiet: isQuiet(value), text: isReply ? null : { text: value, at } });
    return known;
  }

  #set(listed: readonly Json[] | null, number: number, at: number): void {
    if (listed === null) return;
    this.#running = listed.flatMap((element, index): Message[] => {
      const value = objectOf(element);
      if (value === null || !isMessage(value)) return [];
      const known = this.#byId.get(nameOf(value['id']) ?? '');
      if (known === undefined) return [this.#version(value, spot(number, index), at)];
      this.#gone.set(spot(number, index), 'known');
      return [known];
    });
  }

  /** An id that the running list does not hold takes everything away. */
  #rewind(id: string | null): void {
    const from = this.#running.findIndex((one) => one.id !== null && one.id === id);
    const left = from === -1 ? [...this.#all] : this.#running.slice(from);
    for (const message of left) {
      this.#gone.set(message.last, 'rewound');
      this.#all.delete(message);
      if (message.id !== null) this.#byId.delete(message.id);
    }
    this.#running = from === -1 ? [] : this.#running.slice(0, from);
  }
}
