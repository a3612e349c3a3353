import type { errors } from '@palimpsest/contracts';

/** The errors that the database knows, by the name of their factory in contracts. */
export type FaultName =
  | 'logEntryUnknown'
  | 'logFenceStale'
  | 'logIdTaken'
  | 'logLeafMoved'
  | 'logSessionUnknown'
  | 'sessionExists'
  | 'storeDamaged'
  | 'storeOpenFailed'
  | 'storeTooNew';
export type FaultInput<K extends FaultName> = Parameters<(typeof errors)[K]>;

/**
 * A typed error before it is worded: the worker names it, the main thread makes it. So the worker starts without loading
 * contracts, which takes longer than everything else that it does.
 */
export class Fault<K extends FaultName = FaultName> extends Error {
  readonly fault: K;
  readonly input: FaultInput<K>;

  constructor(fault: K, ...input: FaultInput<K>) {
    super(fault);
    this.fault = fault;
    this.input = input;
  }
}

/** What the database names, or SQLite says of a broken file. Null: anything else. */
export function faultOf(thrown: unknown): Fault | null {
  if (thrown instanceof Fault) return thrown;
  const isBroken = thrown instanceof Error && 'code' in thrown && /^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(thrown.code));
  return isBroken ? new Fault('storeDamaged', thrown.message) : null;
}
