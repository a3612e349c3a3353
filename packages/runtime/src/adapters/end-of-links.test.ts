import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endOfLinks } from './end-of-links.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-links-')));
});
afterEach(() => rm(folder, { recursive: true }));

it('follows links to where something is, or was, and leaves the rest as it is written', async () => {
  await mkdir(at('real'));
  await symlink('real', at('folder'));
  await symlink('../gone/x', at('real/dangling'));
  expect(await Promise.all([at('folder'), at('folder/a/b'), at('folder/dangling'), at('none')].map(endOfLinks))).toEqual([
    at('real'),
    at('real/a/b'),
    at('gone/x'),
    at('none'),
  ]);
});

it('refuses links in a ring', async () => {
  await symlink('ring', at('ring'));
  await expect(endOfLinks(at('ring/a'))).rejects.toMatchObject({ code: 'ELOOP' });
});
