import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreSettings } from '@palimpsest/contracts';
import { ManualClock } from '@palimpsest/testing';
import { storeContract } from '@palimpsest/testing/store-contract';
import { DirectLink } from './direct-link.ts';
import { openStore } from './sqlite-store.ts';

/** Behind a thread of its own, and on the caller's. */
describe.each([
  ['SqliteStore', () => ({})],
  ['SqliteStore without a thread', (settings: StoreSettings) => ({ link: new DirectLink(settings) })],
] as const)('%s', (name, link) => {
  storeContract(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
    const clock = new ManualClock();
    const options = { file: join(folder, 'store.db'), durability: 'normal', clock } as const;
    const opened = (): typeof options => ({ ...options, ...link(options) });
    let store = await openStore(opened());
    const reopen = async (): Promise<typeof store> => {
      await store.close();
      return (store = await openStore(opened()));
    };
    const close = async (): Promise<void> => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { store, clock, reopen, close };
  });
});
