import { it } from 'vitest';
import type { Store } from '@palimpsest/contracts';
import type { ManualClock } from '../manual-clock.ts';

export interface StoreFixture {
  readonly store: Store;
  /** Drives the store's leases. */
  readonly clock: ManualClock;
  /** Closes the store and opens its data again; absent where nothing outlives the store. */
  readonly reopen?: () => Promise<Store>;
  close(): Promise<void>;
}
export type OpenFixture = () => Promise<StoreFixture>;

/** A test with a store of its own, closed afterwards. */
export function withStore(open: OpenFixture, title: string, run: (fixture: StoreFixture) => Promise<void>): void {
  it(title, async () => {
    const fixture = await open();
    try {
      await run(fixture);
    } finally {
      await fixture.close();
    }
  });
}

/** The code of the typed error that the promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string | null> {
  const thrown: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown
    ? String(thrown.code)
    : thrown === null
      ? null
      : `untyped: ${String(thrown)}`;
}
