import type { errors } from '@palimpsest/contracts';

/** The errors that the database knows, by the name of their factory in contracts. */
export type FaultName = 'logEntryUnknown' | 'logFenceStale' | 'logIdTaken' | 'logLeafMoved' | 'logSessionUnknown' | 'sessionExists' | 'storeOpenFailed' | 'storeTooNew';
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

export function isFault(thrown: unknown): thrown is Fault {
  return thrown instanceof Fault;
}
