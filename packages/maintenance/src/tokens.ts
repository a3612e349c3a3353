/** Services that only this package's classes use. */
import { sessionToken } from '@palimpsest/contracts';
import type { CompactRung } from './compact-rung.ts';
import type { Drafting } from './drafting.ts';
import type { Ledger } from './ledger.ts';

export const DRAFTING = sessionToken<Drafting>('maintenance.drafting');
export const LEDGER = sessionToken<Ledger>('maintenance.ledger');
export const COMPACT_RUNG = sessionToken<CompactRung>('maintenance.compact-rung');
