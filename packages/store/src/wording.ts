import { errors, type PalimpsestError } from '@palimpsest/contracts/plain';
import type { FaultName } from './database/fault.ts';

/** What went wrong at the database: an error that it names, or anything else. */
export type Failure = { readonly fault: FaultName; readonly input: readonly unknown[] } | { readonly thrown: unknown };

/** The typed error that was named; anything else is STORE_FAILED. */
export function worded(operation: string, failure: Failure): PalimpsestError {
  if ('thrown' in failure) return errors.storeFailed(operation, failure.thrown);
  const make = errors[failure.fault] as (...input: readonly unknown[]) => PalimpsestError;
  return make(...failure.input);
}
