import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ManualClock, sessionIdOf } from '@palimpsest/testing';
import { DirectLink } from './direct-link.ts';
import { openOver } from './sqlite-store.ts';

it('gives the lease of an owner that is gone to the next one, and to one of them alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const settings = { file: join(folder, 'store.db'), durability: 'normal' } as const;
  const gone = new Set<string>();
  const open = (): ReturnType<typeof openOver> =>
    openOver({ clock: new ManualClock(), link: new DirectLink(settings), ids: { isGone: (owner) => gone.has(owner) } });
  const [{ leases }, other] = [await open(), await open()];
  const session = sessionIdOf('s');
  const mine = await leases.acquire(session, 'me', 60_000);
  expect(mine).toMatchObject({ fence: 1 });
  expect(await other.leases.acquire(session, 'you', 60_000)).toMatchObject({ heldBy: 'me' });
  gone.add('me');
  const both = await Promise.all([other.leases.acquire(session, 'you', 60_000), leases.acquire(session, 'they', 60_000)]);
  expect(both).toMatchObject([{ owner: 'you', fence: 2 }, { heldBy: 'you' }]);
  if ('fence' in mine) expect(await leases.renew(mine, 60_000)).toBeNull();
  await other.close();
  await rm(folder, { recursive: true, force: true });
});
