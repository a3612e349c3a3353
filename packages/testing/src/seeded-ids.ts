import { entryId, sessionId, type EntryId, type Ids, type SessionId } from '@palimpsest/contracts';

/** Ids that are the same in every run: `e000001`, `s0001`, `o0001` behind the prefix, and a random stream of the seed. */
export class SeededIds implements Ids {
  readonly #prefix: string;
  readonly #counts = { entry: 0, session: 0, owner: 0 };
  #state: number;

  constructor(seed = 1, prefix = '') {
    this.#state = seed >>> 0;
    this.#prefix = prefix;
  }

  entry(): EntryId {
    return entryId.parse(`${this.#prefix}e${String(++this.#counts.entry).padStart(6, '0')}`);
  }

  session(): SessionId {
    return sessionId.parse(`${this.#prefix}s${String(++this.#counts.session).padStart(4, '0')}`);
  }

  owner(): string {
    return `${this.#prefix}o${String(++this.#counts.owner).padStart(4, '0')}`;
  }

  isGone(): boolean {
    return false;
  }

  /** In [0, 1); 32-bit mixing of a counter, so that neighbouring seeds have nothing in common. */
  random(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }
}
