import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, open, readFile, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errors } from '@palimpsest/contracts';
import { writeWhole } from './write-whole.ts';
import { descriptorOf, writtenTo } from './written-to.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const code = (name: string): Promise<unknown> =>
  writeWhole(name, ['text']).then(
    () => null,
    (error: unknown) => (error as { code: string }).code,
  );
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-write-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('makes a file, and puts a new text in the place of an old one with its mode', async () => {
  expect(await writeWhole(at('new'), ['é', 'b'])).toBe(3);
  await chmod(at('new'), 0o640);
  expect(await writeWhole(at('new'), ['again'])).toBe(5);
  expect([await readFile(at('new'), 'utf8'), (await stat(at('new'))).mode & 0o777]).toEqual(['again', 0o640]);
  expect(await readdir(folder)).toEqual(['new']);
});

it('writes through links, also where they lead to nothing yet, and keeps them', async () => {
  await mkdir(at('deep'));
  await symlink('deep/file', at('link'));
  await symlink('link', at('second'));
  await writeWhole(at('second'), ['one']);
  await writeWhole(at('link'), ['two']);
  expect([await readFile(at('deep/file'), 'utf8'), await readlink(at('link')), await readlink(at('second'))]).toEqual([
    'two',
    'deep/file',
    'link',
  ]);
});

it('leaves what stood there, and nothing beside it, where the text breaks off', async () => {
  await writeFile(at('file'), 'earlier');
  const broken = function* (): Generator<string> {
    yield 'half';
    throw errors.storeClosed();
  };
  await expect(writeWhole(at('file'), broken())).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  expect([await readFile(at('file'), 'utf8'), await readdir(folder)]).toEqual(['earlier', ['file']]);
});

it('says what is wrong with a name, and nothing of the file beside', async () => {
  await writeFile(at('file'), '');
  await symlink('loop', at('loop'));
  expect(await Promise.all([folder, at('none/x'), at('file/x'), at('loop')].map(code))).toEqual(Array(4).fill('FILE_UNWRITABLE'));
  await expect(writeWhole(at('none/x'), [''])).rejects.toThrow(
    `Cannot write ${at('none/x')}: ENOENT: no such file or directory, open '${at('none/x')}'`,
  );
  await expect(writeWhole(folder, [''])).rejects.toThrow('it is a folder');
});

it.skipIf(!existsSync('/proc/version'))('is refused where the system lets nobody write', async () => {
  expect(await Promise.all(['/proc/x', '/proc/version', '/proc/self/x/y'].map(code))).toEqual(Array(3).fill('FILE_UNWRITABLE'));
  expect(await readFile('/proc/version', 'utf8')).toContain('Linux');
});

it('writes into a pipe and leaves it one', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const [bytes, read] = await Promise.all([writeWhole(at('pipe'), ['through ', 'it']), readFile(at('pipe'), 'utf8')]);
  expect([bytes, read, (await lstat(at('pipe'))).isFIFO()]).toEqual([10, 'through it', true]);
});

/** Of one's own: a fault here would take away the machine's. */
const canMakeDevices = process.getuid?.() === 0 && existsSync('/dev/full');
it.skipIf(!canMakeDevices)('writes to a device and leaves it one; a full one is told', async () => {
  execFileSync('mknod', [at('null'), 'c', '1', '3']);
  execFileSync('mknod', [at('full'), 'c', '1', '7']);
  expect(await writeWhole(at('null'), ['gone'])).toBe(4);
  expect(await code(at('full'))).toBe('FILE_WRITE_FAILED');
  for (const name of ['null', 'full']) expect((await lstat(at(name))).isCharacterDevice()).toBe(true);
});

it.skipIf(!existsSync('/proc/self/fd'))(
  'knows what is open by its names, and touches nothing that the process opened for itself',
  async () => {
    await symlink('/proc/self/fd/1', at('out'));
    expect(
      await Promise.all([at('out'), '/dev/fd/2', `/proc/${String(process.pid)}/fd/7`, '/proc/1/fd/1', at('file')].map(descriptorOf)),
    ).toEqual([1, 2, 7, null, null]);
    const store = await open(at('store'), 'w+');
    await expect(writtenTo(`/dev/fd/${String(store.fd)}`)).rejects.toMatchObject({ code: 'EBADF' });
    await store.close();
  },
);
