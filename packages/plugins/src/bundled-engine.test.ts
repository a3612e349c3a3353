import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definition } from '../test/definitions.ts';
import { bundledEngine } from './bundled-engine.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-bundled-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function manifest(text: string): Promise<URL> {
  const file = join(folder, 'plugin.yaml');
  await writeFile(file, text);
  return pathToFileURL(file);
}
const yaml = 'name: one\nversion: 1.0.0\ncontract: ^1.0\nmain: x.js\n';

it('takes what the manifest says of the engine, and runs the module that was imported', async () => {
  const module = definition('one', { description: 'in code', owns: ['reduce'] });
  const engine = bundledEngine(await manifest(`${yaml}description: in yaml\nmarks: {start: 9000}\n`), module);
  expect(engine.manifest).toMatchObject({ name: 'one', description: 'in yaml', owns: [], marks: { start: 9_000 } });
  expect(engine.factory).toBe(module.factory);
});

it.each([
  [
    'a manifest of another version',
    yaml.replace('1.0.0', '2.0.0'),
    'PLUGIN_LOAD_FAILED',
    'plugin.yaml says one 2.0.0, the module says one 1.0.0',
  ],
  ['a need that no host meets', `${yaml}needs: [gpu]\n`, 'PLUGIN_MANIFEST_INVALID', 'it needs gpu'],
  ['another contract', yaml.replace('^1.0', '^9.0'), 'PLUGIN_MANIFEST_INVALID', 'contract ^9.0 is asked for'],
  ['a key that is none', `${yaml}nme: x\n`, 'PLUGIN_MANIFEST_INVALID', 'nme'],
])('refuses %s', async (_what, text, code, problem) => {
  const url = await manifest(text);
  expect(() => bundledEngine(url, definition('one'))).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(problem) as string }),
  );
});

it('names a manifest that is not there', () => {
  expect(() => bundledEngine(pathToFileURL(join(folder, 'absent', 'plugin.yaml')), definition('one'))).toThrow(
    expect.objectContaining({ code: 'PLUGIN_MANIFEST_INVALID' }),
  );
});
