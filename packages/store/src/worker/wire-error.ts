import { errors, isPalimpsestError, PalimpsestError, type ErrorFields, type Json } from '@palimpsest/contracts';

type WireError = ReturnType<PalimpsestError['toJSON']>;

/** Any fault as data; what is not ours becomes STORE_FAILED. */
export function toWire(operation: string, thrown: unknown): WireError {
  return (isPalimpsestError(thrown) ? thrown : errors.storeFailed(operation, thrown)).toJSON();
}

/** The typed error again, with the caller's stack. */
export function fromWire(wire: WireError): PalimpsestError {
  const { hint, ...fields } = wire as unknown as Omit<ErrorFields, 'hint'> & { readonly hint: Json };
  return new PalimpsestError({ ...fields, ...(typeof hint === 'string' ? { hint } : {}) });
}
