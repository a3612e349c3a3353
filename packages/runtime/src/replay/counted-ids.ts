import { createHash } from 'node:crypto';
import type { EntryId, SessionId, SessionIds } from '@palimpsest/contracts';
import { base32 } from '../adapters/base32.ts';

/**
 * The entries of a replay by number: a hash of the session's id and a count, in the form of every other id. The same file gives the same
 * names, which its requests repeat wherever a reduced text refers to its entry; two sessions share none.
 */
export class CountedIds implements SessionIds {
  readonly #session: SessionId;
  #count = 0;

  constructor(session: SessionId) {
    this.#session = session;
  }

  entry(): EntryId {
    const hash = createHash('sha256')
      .update(`${this.#session}\u0000${String((this.#count += 1))}`)
      .digest();
    return base32(hash.subarray(0, 10)) as EntryId;
  }
}
