import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { EntryId, Ids, SessionId } from '@palimpsest/contracts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ids from the system's randomness: 16 characters of base 32, 80 bits. The one place that draws them. */
export class RandomIds implements Ids {
  entry(): EntryId {
    return word(10) as EntryId;
  }

  session(): SessionId {
    return `s-${word(10)}` as SessionId;
  }

  owner(): string {
    return `${hostname()}:${String(process.pid)}:${word(5)}`;
  }
}

/** Five bits a character. */
function word(bytes: number): string {
  let bits = BigInt(`0x${randomBytes(bytes).toString('hex')}`);
  let out = '';
  for (let left = (bytes * 8) / 5; left > 0; left -= 1) {
    out += alphabet[Number(bits & 31n)] ?? '';
    bits >>= 5n;
  }
  return out;
}
