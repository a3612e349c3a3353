import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseManifest } from '../manifest.ts';
import { newPlugin, pluginFiles } from './new-plugin.ts';
import { synced } from './sync-manifest.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'palimpsest-author-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('makes a plugin whose manifest is legal, and leaves a folder alone that is there', async () => {
  const made = await newPlugin('my-engine', join(root, 'plugins', 'context_engine'));
  expect((await readdir(made.folder)).sort()).toEqual(['README.md', 'engine.test.ts', 'index.ts', 'plugin.yaml']);
  expect(parseManifest(pluginFiles('my-engine')['plugin.yaml'] ?? '', 'plugin.yaml')).toMatchObject({
    name: 'my-engine',
    main: 'index.ts',
  });
  await expect(newPlugin('my-engine', join(root, 'plugins', 'context_engine'))).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  await mkdir(join(root, 'taken'));
  await expect(newPlugin('taken', root)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  expect(await readdir(join(root, 'taken'))).toEqual([]);
});

it.each(['', 'My', '../x', 'a b', '1st'])('makes none under the name %j', async (name) => {
  await expect(newPlugin(name, root)).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  expect(await readdir(root)).toEqual([]);
});

it('imports the engine under a name that is no word of the language', () => {
  expect(pluginFiles('default')['engine.test.ts']).toContain('import defaultEngine from');
  expect(pluginFiles('a-b-2c')['engine.test.ts']).toContain('import aB2cEngine from');
});

const manifest = '# ours\nname: deep # the name\nversion: 1.0.0\ncontract: ^1.0\nmain: index.ts\noptions: { type: object }\n';

it('writes the options and nothing else; comments stay', () => {
  const options = { type: 'object', properties: { depth: { type: 'integer', default: 2 } }, additionalProperties: false };
  const after = synced(manifest, 'plugin.yaml', { options });
  expect(after).toContain('# ours\nname: deep # the name\nversion: 1.0.0\n');
  expect(parseManifest(after, 'plugin.yaml').options).toEqual(options);
  expect(synced(after, 'plugin.yaml', { options })).toBe(after);
});

it('changes nothing where the options are the same, and refuses what is no YAML', () => {
  expect(synced(manifest, 'plugin.yaml', { options: { type: 'object' } })).toBe(manifest);
  expect(() => synced('a: [', 'plugin.yaml', { options: {} })).toThrow(/plugin\.yaml/u);
});
