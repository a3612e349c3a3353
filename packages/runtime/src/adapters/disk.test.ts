import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolder, placeAt } from './disk.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-disk-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('makes a folder and those above it, once', async () => {
  await Promise.all([makeFolder(join(folder, 'a', 'b', 'c')), makeFolder(join(folder, 'a', 'b', 'c'))]);
  await makeFolder(join(folder, 'a', 'b', 'c'));
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['c']);
});

it('refuses what cannot be a folder', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow('is no folder');
  await expect(makeFolder(join(folder, 'file', 'a'))).rejects.toThrow('is no folder');
});

it.skipIf(!existsSync('/proc/self'))('ends where the system makes no folders', async () => {
  await expect(makeFolder('/proc/palimpsest/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await placeAt('/proc/palimpsest/a.db')).toMatchObject({ nearest: '/proc', exists: false, isFolder: true, isWritable: false });
});

it('tries whether a folder can be written to, and leaves nothing behind', async () => {
  expect(await placeAt(join(folder, 'a', 'b.db'))).toMatchObject({ nearest: folder, exists: false, isFolder: true, isWritable: true });
  expect(await readdir(folder)).toEqual([]);
});
