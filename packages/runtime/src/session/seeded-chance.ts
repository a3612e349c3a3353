import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that are the same for every run of the same seed: hashes of a counter, 32 bits each. */
export function seededChance(seed: string): () => number {
  let drawn = 0;
  return () =>
    createHash('sha256')
      .update(`${seed}\u0000${String((drawn += 1))}`)
      .digest()
      .readUInt32BE() /
    2 ** 32;
}
