import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inspectFolder } from './plugin-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'palimpsest-folder-'));
  await mkdir(join(root, 'deep', 'inner'), { recursive: true });
  await writeFile(join(root, 'deep', 'plugin.yaml'), 'name: deep\nversion: 1.0.0\ncontract: ^1.0\nmain: index.mjs\n');
  await writeFile(join(root, 'deep', 'index.mjs'), 'export default () => ({});');
  await symlink('deep', join(root, 'alias'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it.each(['deep', 'deep/', 'deep/.', 'deep/./', 'deep/inner/..', 'deep/inner/../'])(
  'knows the folder behind %j by its own name',
  async (path) => {
    expect(await inspectFolder(`${root}/${path}`)).toMatchObject({ name: 'deep', folder: join(root, 'deep') });
  },
);

it('knows a link by the name it is asked for', async () => {
  expect(await inspectFolder(`${root}/alias/`)).toMatchObject({ name: 'alias', folder: join(root, 'deep') });
});
