import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineManifest } from '@palimpsest/contracts';
import { folderHash } from './folder-hash.ts';
import { TrustedFolders } from './trusted-folders.ts';

let root: string;
let folder: string;
let trusted: TrustedFolders;
const manifest = { name: 'x' } as EngineManifest;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-trust-')));
  folder = join(root, 'x');
  await mkdir(join(folder, 'lib'), { recursive: true });
  await writeFile(join(folder, 'plugin.yaml'), 'name: x\n');
  await writeFile(join(folder, 'lib', 'main.js'), 'export default 1;\n');
  trusted = new TrustedFolders(join(root, 'home', 'trusted.json'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the hash of a folder', () => {
  const changes: readonly (readonly [string, () => Promise<void>])[] = [
    ['a byte', () => writeFile(join(folder, 'lib', 'main.js'), 'export default 2;\n')],
    ['a file more', () => writeFile(join(folder, 'lib', 'more.js'), '')],
    ['a hidden file', () => writeFile(join(folder, '.hidden'), '')],
    ['a file less', () => rm(join(folder, 'plugin.yaml'))],
    ['a name', () => rename(join(folder, 'lib', 'main.js'), join(folder, 'lib', 'Main.js'))],
    ['another folder', () => rename(join(folder, 'lib'), join(folder, 'bil'))],
    ['a link', () => symlink('plugin.yaml', join(folder, 'again.yaml'))],
  ];
  it.each(changes)('changes with %s', async (_what, change) => {
    const before = await folderHash(folder);
    await change();
    expect(await folderHash(folder)).not.toBe(before);
  });

  it('does not change with time, or with where the folder lies', async () => {
    const before = await folderHash(folder);
    await utimes(join(folder, 'plugin.yaml'), 1, 1);
    await rename(folder, join(root, 'y'));
    expect(await folderHash(join(root, 'y'))).toBe(before);
  });

  it('tells where a link points', async () => {
    await symlink('plugin.yaml', join(folder, 'link'));
    const before = await folderHash(folder);
    await rm(join(folder, 'link'));
    await symlink('lib/main.js', join(folder, 'link'));
    expect(await folderHash(folder)).not.toBe(before);
  });

  it('names two files apart whose names and bytes run together', async () => {
    await writeFile(join(folder, 'a'), 'bc');
    const before = await folderHash(folder);
    await rm(join(folder, 'a'));
    await writeFile(join(folder, 'ab'), 'c');
    expect(await folderHash(folder)).not.toBe(before);
  });

  it.skipIf(sep === '\\')('reads a file whose own name has a backslash, and not another one for it', async () => {
    await writeFile(join(folder, 'lib', 'a'), 'same');
    await writeFile(join(folder, 'lib\\a'), 'same');
    const before = await folderHash(folder);
    await writeFile(join(folder, 'lib\\a'), 'other');
    expect(await folderHash(folder)).not.toBe(before);
  });

  it.each([['..'], ['/etc/hostname'], ['nowhere']])('is none where a link leads out of the folder or nowhere: %s', async (target) => {
    await symlink(target, join(folder, 'link'));
    await expect(folderHash(folder)).rejects.toMatchObject({ code: 'PLUGIN_UNREADABLE' });
  });

  it('is none for a folder that is not there', async () => {
    await expect(folderHash(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'PLUGIN_UNREADABLE' });
  });
});

describe('trusted folders', () => {
  it('trusts what was trusted, until it changes, and again once it is trusted again', async () => {
    expect(await trusted.policy(folder, manifest)).toBe('not trusted');
    await trusted.trust(folder);
    expect(await trusted.policy(folder, manifest)).toBe(true);
    await writeFile(join(folder, 'lib', 'main.js'), 'export default 3;\n');
    expect(await trusted.policy(folder, manifest)).toBe('changed since it was trusted');
    await trusted.trust(folder);
    expect(await trusted.policy(folder, manifest)).toBe(true);
    expect([await trusted.forget(folder), await trusted.forget(folder)]).toEqual([true, false]);
    expect(await trusted.policy(folder, manifest)).toBe('not trusted');
  });

  it('knows a folder by where it lies: a copy elsewhere is not trusted', async () => {
    await trusted.trust(folder);
    await rename(folder, join(root, 'y'));
    expect(await trusted.policy(join(root, 'y'), manifest)).toBe('not trusted');
  });

  it('keeps its file to the user, and whole', async () => {
    await trusted.trust(folder);
    const file = join(root, 'home', 'trusted.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: 1, folders: { [folder]: await folderHash(folder) } });
  });

  it.each(['', '{', '[]', '{"version":2,"folders":{}}', '{"version":1,"folders":{"a":7}}'])(
    'trusts nothing by a file that says %j',
    async (text) => {
      await trusted.trust(folder);
      await writeFile(join(root, 'home', 'trusted.json'), text);
      await expect(trusted.policy(folder, manifest)).rejects.toMatchObject({ code: 'TRUST_FILE_INVALID' });
      await expect(trusted.trust(folder)).rejects.toMatchObject({ code: 'TRUST_FILE_INVALID' });
    },
  );

  it('cannot trust a folder that holds something else than files and links', async () => {
    await chmod(folder, 0o700);
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(trusted.trust(folder)).rejects.toMatchObject({ code: 'PLUGIN_UNREADABLE' });
  });
});
