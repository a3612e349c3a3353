import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@palimpsest/testing';
import { storeContract } from '@palimpsest/testing/store-contract';
import { openStore } from './sqlite-store.ts';

storeContract('SqliteStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const clock = new ManualClock();
  const options = { file: join(folder, 'store.db'), durability: 'normal', clock } as const;
  let store = await openStore(options);
  const reopen = async (): Promise<typeof store> => {
    await store.close();
    return (store = await openStore(options));
  };
  const close = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { store, clock, reopen, close };
});
