/** Text as others may be given it: what no provider takes is cleaned, secrets go through the caller's redaction. */
import type { Json } from '@palimpsest/contracts';

export type Redact = (text: string) => string;
const WHOLE: Redact = (text) => text;

export class Cleaning {
  readonly #redact: Redact;

  constructor(redact: Redact = WHOLE) {
    this.#redact = redact;
  }

  /** NUL characters and halves of surrogate pairs are legal JSON and refused on the wire. */
  text(text: string): string {
    return this.#redact(text.replaceAll('\0', '').toWellFormed());
  }

  json(value: Json): Json {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.json(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.text(key), this.json(inner)]));
  }
}

/** Call ids that every provider takes and that occur once: real sessions repeat them, and some are longer than 400 characters. */
export class CallIds {
  readonly #given = new Set<string>();

  next(id: string): string {
    const legal = id.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, LONGEST) || 'call';
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? '' : `_${String(count)}`;
      const given = `${legal.slice(0, LONGEST - suffix.length)}${suffix}`;
      if (this.#given.has(given)) continue;
      this.#given.add(given);
      return given;
    }
  }
}
const LONGEST = 64;

export const toolName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, LONGEST) || 'tool';
