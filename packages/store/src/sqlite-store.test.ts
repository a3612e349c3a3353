import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreSettings } from '@palimpsest/contracts';
import { ManualClock } from '@palimpsest/testing';
import { storeContract } from '@palimpsest/testing/store-contract';
import { DirectLink } from './direct-link.ts';
import type { Link } from './link.ts';
import { openOver } from './sqlite-store.ts';
import { WorkerLink } from './worker/worker-link.ts';

/** Behind a thread of its own, and on the caller's. */
describe.each([
  ['SqliteStore', (settings: StoreSettings): Link => new WorkerLink(settings)],
  ['SqliteStore without a thread', (settings: StoreSettings): Link => new DirectLink(settings)],
] as const)('%s', (name, linkTo) => {
  storeContract(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
    const clock = new ManualClock();
    const opened = (): ReturnType<typeof openOver> =>
      openOver({ clock, link: linkTo({ file: join(folder, 'store.db'), durability: 'normal' }) });
    let store = await opened();
    const reopen = async (): Promise<typeof store> => {
      await store.close();
      return (store = await opened());
    };
    const close = async (): Promise<void> => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { store, clock, reopen, close };
  });
});
