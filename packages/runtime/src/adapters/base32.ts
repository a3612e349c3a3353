const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Bytes as a word, five bits a character; bits that do not fill one are left out. */
export function base32(bytes: Uint8Array): string {
  let bits = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let out = '';
  for (let left = Math.floor((bytes.length * 8) / 5); left > 0; left -= 1) {
    out += ALPHABET[Number(bits & 31n)] ?? '';
    bits >>= 5n;
  }
  return out;
}
