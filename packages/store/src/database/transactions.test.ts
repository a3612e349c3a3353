import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Transactions } from './transactions.ts';

let folder = '';
let database: Sqlite.Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
  database = new Sqlite(join(folder, 'a.db'));
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE t (a); PRAGMA user_version = 7');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const written = (): number => statSync(join(folder, 'a.db-wal')).size;
const synchronous = (): unknown => database.pragma('synchronous', { simple: true });
const add = (): void => {
  database.exec('INSERT INTO t VALUES (1)');
};

it('commits through to the disk what was written before, once', () => {
  const transactions = new Transactions(database, 'full');
  transactions.write('ordinary', add);
  expect(synchronous()).toBe(1);
  const before = written();
  const during: unknown[] = [];
  vi.spyOn(database, 'pragma').mockImplementation(function (this: Sqlite.Database, ...asked) {
    if (asked[0].startsWith('user_version =')) during.push(Sqlite.prototype.pragma.call(this, 'synchronous', { simple: true }));
    return Sqlite.prototype.pragma.apply(this, asked);
  });
  transactions.flush();
  vi.restoreAllMocks();
  expect([during, synchronous(), database.pragma('user_version', { simple: true })]).toEqual([[2], 1, 7]);
  const after = written();
  expect(after).toBeGreaterThan(before);
  transactions.flush();
  transactions.write('durable', add);
  const durable = written();
  transactions.flush();
  expect(written()).toBe(durable);
});

it('waits for no disk where the settings do not ask for it', () => {
  const transactions = new Transactions(database, 'normal');
  transactions.write('ordinary', add);
  const before = written();
  transactions.flush();
  transactions.write('durable', () => undefined);
  expect([synchronous(), written()]).toEqual([1, before]);
});
