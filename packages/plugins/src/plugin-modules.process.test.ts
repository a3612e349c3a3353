import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Node's own loader, in a process of its own: here imports go through the test runner's.
let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-modules-')));
  await writeFile(join(root, 'kit.mjs'), "export const made = 'by the host';\n");
  await writeFile(join(root, 'stranger.mjs'), "import 'kit';\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Loads a plugin of these files, the first of them its main one; what its factory makes, or the error. */
async function loaded(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const main = Object.keys(files)[0] ?? '';
  const manifest = { name, version: '1.0.0', contract: '^1.0', description: '', main, provides: ['context-engine'], owns: [], needs: [], permissions: [], options: {} };
  const provided = { kit: pathToFileURL(join(root, 'kit.mjs')).href };
  return run(`
    import { loadDefinition } from ${JSON.stringify(new URL('../dist/load-engine.js', import.meta.url).href)};
    const { factory } = await loadDefinition(${JSON.stringify({ folder, main: main, manifest })}, ${JSON.stringify(provided)});
    const stranger = await import(${JSON.stringify(pathToFileURL(join(root, 'stranger.mjs')).href)}).then(() => 'too', () => 'no');
    console.log(factory(), stranger);
  `);
}

async function run(script: string): Promise<string> {
  const wrapped = `try { ${script.replaceAll(/import \{ (\w+) \} from (.*);/gu, 'const { $1 } = await import($2);')} } catch (error) { console.log(error.code, error.message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', wrapped], { env: { ...process.env, NODE_OPTIONS: '' } });
  return stdout.trim();
}

it('runs TypeScript without a build step, in files that it imports too', async () => {
  expect(await loaded('typed', {
    'main.ts': "import { depth, type Depth } from './depth.ts';\nconst answer: Depth = depth as Depth;\nexport default (): Depth => answer;\n",
    'depth.ts': 'export type Depth = number;\nexport const depth: Depth = 7;\n',
  })).toBe('7 no');
});

it('gives a plugin what the host provides, its own copy where it has one, and nothing to anybody else', async () => {
  const code = "import { made } from 'kit';\nexport default () => made;\n";
  expect(await loaded('borrows', { 'main.js': code, 'package.json': '{"type":"module"}' })).toBe('by the host no');
  const own = { 'main.js': code, 'package.json': '{"type":"module"}', 'node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./own.js"}', 'node_modules/kit/own.js': "export const made = 'its own';\n" };
  expect(await loaded('brings', own)).toBe('its own no');
});

it.each([['imported', 'main.mjs', "import { made } from 'kit';\nexport default () => made;\n"], ['required', 'main.cjs', "module.exports = () => require('kit').made;\n"]])(
  "gives it the host's copy although the project has one: %s",
  async (how, main, code) => {
    const shadow = { '../node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./own.js"}', '../node_modules/kit/own.js': "export const made = 'by the project';\n" };
    expect(await loaded(`clone/${how}`, { [main]: code, ...shadow })).toBe('by the host no');
  },
);

it('says what is missing, and what cannot be stripped', async () => {
  expect(await loaded('asks', { 'main.mjs': "import 'left-pad';\nexport default () => 1;\n" })).toMatch(/^PLUGIN_LOAD_FAILED .*left-pad/u);
  expect(await loaded('enums', { 'main.ts': 'enum A { B }\nexport default () => A.B;\n' })).toMatch(/^PLUGIN_LOAD_FAILED .*enum/iu);
});
