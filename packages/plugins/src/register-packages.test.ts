import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { manifestOf } from '../test/definitions.ts';
import { EngineRegistry } from './engine-registry.ts';
import { registerPackages } from './register-packages.ts';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-packages-')));
});
afterEach(() => rm(root, { recursive: true }));

const definition = (name: string): string => `{ manifest: ${JSON.stringify(manifestOf(name))}, factory: () => ({}) }`;
async function install(name: string, code: string): Promise<void> {
  const folder = join(root, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', exports: { '.': { default: './main.js' } } }),
  );
  await writeFile(join(folder, 'main.js'), code);
}
const register = async (...names: readonly string[]): Promise<EngineRegistry> => {
  const registry = new EngineRegistry();
  await registerPackages({ names, from: root, registry });
  return registry;
};

it('registers one definition or a list, in the order of the packages', async () => {
  await install('@x/two', `export default [${definition('b')}, ${definition('a')}];`);
  await install('one', `export default ${definition('c')};`);
  expect((await register('one', '@x/two')).names()).toEqual(['c', 'b', 'a']);
  expect((await register()).names()).toEqual([]);
});

it.each([
  ['export default 3', 'its default export is no engine definition'],
  ['export default []', 'its default export is no engine definition'],
  [`export default [${definition('a')}, null]`, 'its default export is no engine definition'],
  ['export const x = 1', 'its default export is no engine definition'],
  ['throw new Error("boom")', 'boom'],
])('refuses %j', async (code, problem) => {
  await install('bad', code);
  await expect(register('bad')).rejects.toMatchObject({
    code: 'PLUGIN_LOAD_FAILED',
    message: expect.stringContaining(problem) as string,
    details: { name: 'bad', file: join(root, 'node_modules/bad/main.js') },
  });
});

it('names a package that is not installed, and a name that is taken', async () => {
  await expect(register('absent')).rejects.toMatchObject({
    code: 'PLUGIN_NOT_INSTALLED',
    message: `Plugin absent is not installed in ${root}.`,
    hint: expect.stringContaining(`npm install --prefix "${root}" absent`) as string,
  });
  await install('one', `export default ${definition('a')};`);
  await install('other', `export default ${definition('a')};`);
  await expect(register('one', 'other')).rejects.toMatchObject({ code: 'ENGINE_NAME_TAKEN' });
});
