import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry, EntryId, Store } from '@palimpsest/contracts';
import { ManualClock, sessionIdOf, sessionOf, userDraft } from '@palimpsest/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from './open-store.ts';

const S = sessionIdOf('s');
const ENTRIES = 700;
let file = '';
let leaf: EntryId | null = null;

const opened = (): Promise<Store> => openStore({ file, durability: 'normal', clock: new ManualClock() });
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'palimpsest-store-')), 'store.db');
  const store = await opened();
  await store.log.open(sessionOf('s'));
  leaf =
    (
      await store.log.append({
        session: S,
        leaf: null,
        fence: null,
        entries: Array.from({ length: ENTRIES }, (_, at) => userDraft(`entry ${String(at)} ${'w'.repeat(200)}`)),
      })
    ).at(-1)?.id ?? null;
  await store.close();
});
afterEach(async () => {
  await rm(join(file, '..'), { recursive: true, force: true });
});

function broken(sql: string): void {
  const raw = new Sqlite(file);
  raw.exec(sql);
  raw.close();
}

async function wholeBranch({ log }: Store): Promise<number> {
  let [before, count]: [EntryId | undefined, number] = [undefined, 0];
  for (;;) {
    const page: readonly Entry[] = await log.branch(S, leaf ?? ('' as EntryId), {
      limit: 100,
      ...(before === undefined ? {} : { before }),
    });
    if (page.length === 0) return count;
    count += page.length;
    before = page.at(-1)?.id;
  }
}

it.each([
  ['a row is gone', 'DELETE FROM entries WHERE key = (1 << 31) + 300'],
  ["the leaf's parent is gone", `DELETE FROM entries WHERE key = (1 << 31) + ${String(ENTRIES - 1)}`],
  ['an entry is its own parent', 'UPDATE entries SET parent = 300 WHERE key = (1 << 31) + 300'],
  ['a parent is younger than its child', 'UPDATE entries SET parent = 600 WHERE key = (1 << 31) + 300'],
  ['a body is no JSON', "UPDATE entries SET body = '{\"kind' WHERE key = (1 << 31) + 300"],
])('where %s, a branch is refused with a typed error', async (_what, sql) => {
  broken(sql);
  const store = await opened();
  await expect(wholeBranch(store)).rejects.toMatchObject({ code: 'STORE_DAMAGED', kind: 'environment' });
  await store.close();
});

it('the word index comes to its end although the newest rows are gone', async () => {
  broken(`DELETE FROM entries WHERE key > (1 << 31) + 650; UPDATE sessions SET indexed_seq = 650`);
  const store = await opened();
  expect(await store.search.query({ text: 'entry', limit: 5 })).toBeInstanceOf(Array);
  await store.close();
});

it('a file whose pages are overwritten is damaged, not busy', async () => {
  const handle = await open(file, 'r+');
  const { size } = await stat(file);
  for (let at = 5 * 8192; at < size; at += 8192) await handle.write(Buffer.alloc(8192, 0xa5), 0, 8192, at);
  await handle.close();
  await expect(opened().then(wholeBranch)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});
