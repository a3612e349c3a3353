import type { EntryId, Ids, SessionId } from '@palimpsest/contracts';
import { base32 } from './base32.ts';
import { holderName, isHolderGone } from './holder.ts';

/** Ids from the system's randomness: 16 characters of base 32, 80 bits. The one place that draws them. */
export class RandomIds implements Ids {
  entry(): EntryId {
    return word(10) as EntryId;
  }

  session(): SessionId {
    return `s-${word(10)}` as SessionId;
  }

  owner(): string {
    return holderName(word(5));
  }

  isGone(owner: string): boolean {
    return isHolderGone(owner);
  }
}

/** Drawn from the system in one go: asking it for each id costs more than all else about an entry. Used bytes are never handed out again. */
const pool = Buffer.alloc(8192);
let used = pool.length;

function word(bytes: number): string {
  if (used + bytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += bytes;
  return base32(pool.subarray(used - bytes, used));
}
