import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errors } from '@palimpsest/contracts';
import { ManualClock, sessionIdOf, sessionOf, userDraft } from '@palimpsest/testing';
import { MIGRATIONS } from './database/schema.ts';
import { openStore, storeOf } from './open-store.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): { readonly file: string; readonly durability: 'full'; readonly clock: ManualClock } => ({
  file: join(folder, name),
  durability: 'full',
  clock: new ManualClock(),
});

it('makes folder and file for their owner alone', async () => {
  const store = await openStore(at('deep/er/store.db'));
  await store.close();
  expect((await stat(join(folder, 'deep/er/store.db'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
});

it.each([
  ['text', "not a database, but somebody's notes\n".repeat(100)],
  ['short', 'x'],
])('leaves a file alone that is no database: %s', async (_name, content) => {
  await writeFile(join(folder, 'notes'), content);
  await expect(openStore(at('notes'))).rejects.toMatchObject({
    code: 'STORE_OPEN_FAILED',
    kind: 'environment',
    details: { file: join(folder, 'notes') },
  });
  expect(await readFile(join(folder, 'notes'), 'utf8')).toBe(content);
});

it('leaves the database of another program alone', async () => {
  const other = new Sqlite(join(folder, 'other.db'));
  other.exec('CREATE TABLE mine (id); INSERT INTO mine VALUES (1)');
  other.close();
  const before = await readFile(join(folder, 'other.db'));
  await expect(openStore(at('other.db'))).rejects.toThrow(/another program/);
  expect((await readFile(join(folder, 'other.db'))).equals(before)).toBe(true);
});

it('refuses a file of a newer version, and a folder', async () => {
  await (await openStore(at('store.db'))).close();
  const raw = new Sqlite(join(folder, 'store.db'));
  raw.pragma('user_version = 99');
  raw.close();
  await expect(openStore(at('store.db'))).rejects.toMatchObject({
    ...errors.storeTooNew(join(folder, 'store.db'), 99, MIGRATIONS.length).toJSON(),
  });
  await expect(openStore({ ...at(''), file: folder })).rejects.toMatchObject({ code: 'STORE_OPEN_FAILED' });
});

it('opens late: the first call tells what is wrong, and closing an unopened store is nothing', async () => {
  await writeFile(join(folder, 'notes'), 'x'.repeat(5000));
  const { clock, ...settings } = at('notes');
  const store = storeOf(settings, { clock });
  await expect(store.log.session(sessionIdOf('s'))).rejects.toMatchObject({ code: 'STORE_OPEN_FAILED' });
  await expect(store.log.session(sessionIdOf('s'))).rejects.toMatchObject({ code: 'STORE_OPEN_FAILED' });
  await store.close();
  const untouched = storeOf({ ...settings, file: join(folder, 'never.db') }, { clock });
  await untouched.close();
  await expect(stat(join(folder, 'never.db'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('finishes what was asked before it closes', async () => {
  const options = at('store.db');
  const store = await openStore(options);
  const session = sessionIdOf('s');
  const asked = [
    store.log.open(sessionOf('s')),
    store.log.append({ session, leaf: null, fence: null, entries: [userDraft('a', { id: 'a' })] }),
    store.close(),
  ];
  await Promise.all(asked);
  const again = await openStore(options);
  expect(await again.log.session(session)).toMatchObject({ leaf: 'a', entries: 1 });
  await again.close();
});

it('indexes in the background, in the same file, without being asked', async () => {
  const options = at('store.db');
  const store = await openStore(options);
  await store.log.open(sessionOf('s'));
  const entries = Array.from({ length: 80 }, (_, index) => userDraft(`word${String(index)}`));
  await store.log.append({ session: sessionIdOf('s'), leaf: null, fence: null, entries });
  const raw = new Sqlite(options.file, { readonly: true });
  const indexed = raw.prepare<[], number>('SELECT indexed_seq FROM sessions').pluck();
  for (let tries = 0; tries < 50 && indexed.get() === 0; tries += 1) await store.log.session(sessionIdOf('s'));
  expect(indexed.get()).toBe(80);
  raw.close();
  await store.close();
});
