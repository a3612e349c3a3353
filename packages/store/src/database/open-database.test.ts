import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { artifactOf, sessionIdOf, sessionOf } from '@palimpsest/testing';
import type { DraftRow } from '../worker/protocol.ts';
import { openDatabase, type OpenDatabase } from './open-database.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

const S = sessionIdOf('s');
let folder = '';
let database: OpenDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
  database = openDatabase({ file: join(folder, 'store.db'), durability: 'normal' });
  database.operations.openSession(sessionOf('s'));
});
afterEach(() => {
  database.operations.close();
  rmSync(folder, { recursive: true, force: true });
});

function row(id: string, text: string, kind: DraftRow['kind'] = 'message'): DraftRow {
  return {
    id,
    time: '2026-01-01T00:00:00.000Z',
    turn: null,
    tokens: 1,
    kind,
    body: JSON.stringify({ origin: 'user_input', message: { role: 'user', content: [{ type: 'text', text }] } }),
  };
}

function append(...rows: readonly DraftRow[]): void {
  database.operations.append({ session: S, leaf: database.operations.session(S)?.leaf ?? null, fence: null, rows, artifacts: [] }, 0);
}

it('leaves no trace of a dropped session in the file', () => {
  const secret = 'zanzibar';
  append(row('a', `${secret} and more ${'x '.repeat(3000)}`), row('b', `${secret} ${'y'.repeat(300_000)}`));
  database.operations.putArtifacts([artifactOf('offload', `${secret} artifact`, { session: S })]);
  while (database.indexSome());
  database.operations.drop(S, null, 0);
  database.operations.openSession(sessionOf('s'));
  database.operations.close();
  const file = join(folder, 'store.db');
  expect(readFileSync(file).includes(secret)).toBe(false);
  database = openDatabase({ file, durability: 'normal' });
  expect(database.operations.query(secret, null, 9)).toEqual([]);
});

it('answers with the run of a dense script, not with its pairs anywhere', () => {
  append(row('apart', '北京大会 京大附近'), row('run', '北京大学'), row('twice', '北京大 北京大'), row('mixed', 'v2 北京大 release'));
  const ids = (text: string): unknown[] => database.operations.query(text, null, 9).map(({ entry }) => entry);
  expect(ids('北京大')).toEqual(expect.arrayContaining(['apart', 'run', 'twice', 'mixed']));
  expect(ids('会京')).toEqual([]);
  expect(ids('京大附近')).toEqual(['apart']);
  expect(ids('北京大附')).toEqual([]);
  expect(ids('release 北京大')).toEqual(['mixed']);
  expect(ids('v2 大学')).toEqual([]);
});

it('takes a query of thousands of words', () => {
  append(row('a', Array.from({ length: 3000 }, (_, index) => `w${String(index)}`).join(' ')));
  const all = Array.from({ length: 3000 }, (_, index) => `w${String(index)}`).join(' ');
  expect(database.operations.query(all, null, 1)).toHaveLength(1);
  expect(database.operations.query(`${all} missing`, null, 1)).toHaveLength(0);
});

it('brings a file of the first schema up to date, and keeps its sessions as finished ones of nobody', () => {
  const old = new Sqlite(join(folder, 'old.db'));
  old.exec(MIGRATIONS[0] ?? '');
  old.exec("INSERT INTO sessions (id, created, updated, format) VALUES ('old', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', 1)");
  old.pragma(`application_id = ${String(APPLICATION_ID)}`);
  old.pragma('user_version = 1');
  old.close();
  const opened = openDatabase({ file: join(folder, 'old.db'), durability: 'normal' });
  expect(opened.operations.sessions(9, null)).toMatchObject([{ id: 'old', entries: 0, filling: null }]);
  opened.operations.close();
});

it('counts what waits for the index', () => {
  expect(database.unindexed()).toBe(0);
  for (let index = 0; index < 70; index += 1) append(row(`e${String(index)}`, 'words'));
  expect(database.unindexed()).toBe(70);
  while (database.indexSome());
  expect(database.unindexed()).toBe(0);
});
