const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Bytes as a word, five bits a character; bits that do not fill one are left out. */
export function base32(bytes: Uint8Array): string {
  let [out, held, bits] = ['', 0, 0];
  for (const byte of bytes.toReversed()) {
    held |= byte << bits;
    for (bits += 8; bits >= 5; bits -= 5) {
      out += ALPHABET[held & 31] ?? '';
      held >>>= 5;
    }
  }
  return out;
}
