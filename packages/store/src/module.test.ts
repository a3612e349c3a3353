import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ARTIFACTS, CLOCK, IDS, LEASES, LOG, SEARCH, STORE_SETTINGS, type StoreSettings } from '@palimpsest/contracts';
import { ManualClock, SeededIds, sessionIdOf, sessionOf, userDraft } from '@palimpsest/testing';
import { bind, defineModule, openHost } from '@palimpsest/wiring';
import { storeModule } from './module.ts';

it('serves the four ports of one store, and closes it with its host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const settings: StoreSettings = { file: join(folder, 'store.db'), durability: 'full' };
  const host = openHost([
    defineModule('test', [
      bind(STORE_SETTINGS).toValue(settings),
      bind(CLOCK).toValue(new ManualClock()),
      bind(IDS).toValue(new SeededIds()),
    ]),
    storeModule,
  ]);
  const log = host.get(LOG);
  await log.open(sessionOf('s'));
  await log.append({ session: sessionIdOf('s'), leaf: null, fence: null, entries: [userDraft('needle', { id: 'a' })] });
  expect(await host.get(SEARCH).query({ text: 'needle', limit: 1 })).toMatchObject([{ entry: 'a' }]);
  expect(await host.get(LEASES).acquire(sessionIdOf('s'), 'me', 1)).toMatchObject({ fence: 1 });
  expect(await host.get(ARTIFACTS).list({ limit: 1 })).toEqual([]);
  await host.close();
  await expect(log.session(sessionIdOf('s'))).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await rm(folder, { recursive: true, force: true });
});
