import { KNOWN_PIECES } from './known-pieces-data.ts';

/** Bits in the set; a power of two. */
export const KNOWN_BITS = 1 << 17;
/** Longest piece in the set, in UTF-16 code units, a blank in front of it included. */
export const KNOWN_LENGTH = 5;

/**
 * Which short strings of Chinese, Japanese and Korean characters are one token. A Bloom filter of two probes over a rolling hash:
 * small enough to ship, ready at once, and wrong for about one string in fifty.
 */
const known: Uint8Array = Buffer.from(KNOWN_PIECES, 'base64');

export const HASH_START = 0x811c9dc5 | 0;

/** The hash of a string that is one code unit longer. */
export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193) ^ (hash >>> 15);

export const firstProbe = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> 15;
export const secondProbe = (hash: number): number => Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) >>> 15;

const bit = (at: number): boolean => (((known[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 1;

/** Whether the string with this hash is (very likely) one token. */
export const isKnown = (hash: number): boolean => bit(firstProbe(hash)) && bit(secondProbe(hash));
