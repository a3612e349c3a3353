import { errors } from '@palimpsest/contracts/plain';
import type { Hit } from '@palimpsest/contracts';
import { recordOf, type StoreAccess } from './access.ts';

export interface SearchAsk {
  readonly words: string;
  /** Default: every session. */
  readonly session?: string;
  readonly limit: number;
}

/** Full text over what was said, run and summarised; the best first. @throws USAGE_INVALID for no words, LOG_SESSION_UNKNOWN. */
export async function searchSessions(access: StoreAccess, { words, session, limit }: SearchAsk): Promise<readonly Hit[]> {
  if (!/[\p{L}\p{N}]/u.test(words))
    throw errors.usageInvalid('There is no word to search for.', 'palimpsest sessions search timeout config');
  const within = session === undefined ? {} : { session: (await recordOf(access, session)).id };
  return access.store.search.query({ text: words, limit, ...within });
}
