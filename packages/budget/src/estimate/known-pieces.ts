import { COSTLY_BLOCKS, KNOWN_PIECES } from './known-pieces-data.ts';

/** Bits in the set; a power of two. */
const KNOWN_BITS = 1 << 17;
/** Longest piece in the set, in UTF-16 code units, a blank in front of it included. */
export const KNOWN_LENGTH = 5;
const PROBES = 5;

/**
 * Which short strings of Chinese, Japanese and Korean characters, and of signs outside ASCII, are one token. A Bloom filter over a
 * rolling hash: small enough to ship, ready at once, and wrong for less than one string in a hundred.
 */
const known: Uint8Array = Buffer.from(KNOWN_PIECES, 'base64');

/** Characters of three bytes whose first two bytes are no token: by blocks of 64, a bit for each. */
const costly: Uint8Array = Buffer.from(COSTLY_BLOCKS, 'base64');

/** Tokens of a character of the basic plane that is no token by itself. */
export const rareCharacter = (unit: number): number => 2 + (((costly[unit >>> 9] ?? 0) >>> ((unit >>> 6) & 7)) & 1);

const HASH_START = 0x811c9dc5 | 0;

/** The hash of a string that is one code unit longer. */
const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193) ^ (hash >>> 15);

/** The bits that stand for a hash, the first to the fifth. */
const probe = (hash: number, turn: number): number =>
  (Math.imul(hash, 0x9e3779b1) + Math.imul(turn, Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) | 1)) >>> 15;

/** Whether the string with this hash is (very likely) one token. */
function isKnown(hash: number): boolean {
  for (let turn = 0; turn < PROBES; turn++) {
    const at = probe(hash, turn);
    if ((((known[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 0) return false;
  }
  return true;
}

/** Length of the longest known piece that begins at `from` and ends by `to`; 0: none. */
export function knownLength(text: string, from: number, to: number): number {
  const end = Math.min(to, from + KNOWN_LENGTH);
  let hash = HASH_START;
  let longest = 0;
  for (let at = from; at < end; at++) {
    hash = hashStep(hash, text.charCodeAt(at));
    if (isKnown(hash)) longest = at - from + 1;
  }
  return longest;
}

/** The set as it ships, made of these pieces. */
export function packPieces(pieces: Iterable<string>): Uint8Array {
  const packed = new Uint8Array(KNOWN_BITS / 8);
  for (const piece of pieces) {
    let hash = HASH_START;
    for (let at = 0; at < piece.length; at++) hash = hashStep(hash, piece.charCodeAt(at));
    for (let turn = 0; turn < PROBES; turn++) {
      const at = probe(hash, turn);
      packed[at >>> 3] = (packed[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return packed;
}

/** The blocks as they ship: those where `tokens` gives three for most characters that are no token by themselves. */
export function packBlocks(tokens: (character: string) => number): Uint8Array {
  const packed = new Uint8Array(128);
  for (let block = 0x800 >>> 6; block < 1024; block++) {
    const costs = Array.from({ length: 64 }, (_, at) => tokens(String.fromCharCode((block << 6) + at)));
    const dear = costs.filter((cost) => cost === 3).length > costs.filter((cost) => cost === 2).length;
    if (dear) packed[block >>> 3] = (packed[block >>> 3] ?? 0) | (1 << (block & 7));
  }
  return packed;
}
