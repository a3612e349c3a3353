import { errors } from '@palimpsest/contracts';

/** @throws USAGE_INVALID. */
export function assertLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw errors.usageInvalid(`A limit is a whole number from 1, not ${String(limit)}.`);
}

/** In UTF-16 units. @throws USAGE_INVALID. */
export function assertRange(range: { readonly offset: number; readonly length: number }): void {
  const whole = Number.isInteger(range.offset) && Number.isInteger(range.length);
  if (!whole || range.offset < 0 || range.length < 0)
    throw errors.usageInvalid(`A range is two whole numbers from 0, not ${String(range.offset)} and ${String(range.length)}.`);
}

/** @throws USAGE_INVALID. */
export function assertTtl(ttlMs: number): void {
  if (!Number.isFinite(ttlMs) || ttlMs <= 0) throw errors.usageInvalid(`A lease lasts more than 0 ms, not ${String(ttlMs)}.`);
}
