import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Node's own loader, in a process of its own: here imports go through the test runner's.
let root: string;
let folders = 0;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-modules-')));
  await writeFile(join(root, 'kit.mjs'), "export const made = 'by the host';\n");
  await writeFile(join(root, 'stranger.mjs'), "import 'kit';\n");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const manifestOf = (name: string, main: string): object => ({
  name,
  version: '1.0.0',
  contract: '^1.0',
  description: '',
  main,
  provides: ['context-engine'],
  owns: [],
  needs: [],
  permissions: [],
  options: {},
});

/** Loads a plugin of these files, the first of them its main one; what its factory makes, or the error. */
async function loaded(name: string, files: Readonly<Record<string, string>>, kit = 'kit.mjs'): Promise<string> {
  const folder = join(root, name);
  await written(folder, files);
  const main = Object.keys(files)[0] ?? '';
  const provided = { kit: pathToFileURL(join(root, kit)).href };
  return run(`
    import { loadDefinition } from ${JSON.stringify(new URL('../dist/load-engine.js', import.meta.url).href)};
    const { factory } = await loadDefinition(${JSON.stringify({ folder, main, manifest: manifestOf(name, main) })}, ${JSON.stringify(provided)});
    const stranger = await import(${JSON.stringify(pathToFileURL(join(root, 'stranger.mjs')).href)}).then(() => 'too', () => 'no');
    console.log(factory(), stranger);
  `);
}

async function written(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

async function run(script: string): Promise<string> {
  const wrapped = `try { ${script.replaceAll(/import \{ (\w+) \} from (.*);/gu, 'const { $1 } = await import($2);')} } catch (error) { console.log(error.code, error.message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', wrapped], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return stdout.trim();
}

const using = (specifier: string, type: 'mjs' | 'cjs'): string =>
  type === 'mjs'
    ? `import { made } from '${specifier}';\nexport default () => made;\n`
    : `module.exports = () => require('${specifier}').made;\n`;

it('runs TypeScript without a build step, in files that it imports too', async () => {
  expect(
    await loaded('typed', {
      'main.ts':
        "import { depth, type Depth } from './depth.ts';\nconst answer: Depth = depth as Depth;\nexport default (): Depth => answer;\n",
      'depth.ts': 'export type Depth = number;\nexport const depth: Depth = 7;\n',
    }),
  ).toBe('7 no');
});

it('gives a plugin what the host provides, its own copy where it has one, and nothing to anybody else', async () => {
  const code = "import { made } from 'kit';\nexport default () => made;\n";
  expect(await loaded('borrows', { 'main.js': code, 'package.json': '{"type":"module"}' })).toBe('by the host no');
  const own = {
    'main.js': code,
    'package.json': '{"type":"module"}',
    'node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./own.js"}',
    'node_modules/kit/own.js': "export const made = 'its own';\n",
  };
  expect(await loaded('brings', own)).toBe('its own no');
});

// Node 22 resolves what imported CommonJS requires before it asks anybody: refused there, where the project has one.
const ways = (
  [
    ['imported', 'mjs'],
    ['required', 'cjs'],
  ] as const
).filter(([, type]) => type === 'mjs' || Number.parseInt(process.versions.node) >= 24);

it.each(ways)("gives it the host's copy although the project has one: %s", async (how, type) => {
  const shadow = {
    '../node_modules/kit/package.json': '{"name":"kit","type":"module","exports":"./own.js"}',
    '../node_modules/kit/own.js': "export const made = 'by the project';\n",
  };
  expect(await loaded(`clone/${how}`, { [`main.${type}`]: using('kit', type), ...shadow })).toBe('by the host no');
});

it.each(ways)('gives it what else a provided package exports: %s', async (how, type) => {
  const kit = {
    'kit/package.json': '{"name":"kit","type":"module","exports":{".":"./kit.js","./part":"./part.js"}}',
    'kit/kit.js': '',
    'kit/part.js': "export const made = 'by a part';\n",
  };
  await written(join(root, 'packages'), kit);
  const shadow = {
    '../node_modules/kit/package.json': '{"name":"kit","type":"module","exports":{"./part":"./part.js"}}',
    '../node_modules/kit/part.js': "export const made = 'by the project';\n",
  };
  expect(await loaded(`parts/${how}`, { [`main.${type}`]: using('kit/part', type), ...shadow }, 'packages/kit/kit.js')).toBe(
    'by a part no',
  );
});

it.each([
  ['a file beside it', 'main.mjs', "import '../tool.cjs';\n", 'tool.cjs'],
  ['a file beside it, required', 'main.cjs', "require('../tool.cjs');\n", 'tool.cjs'],
  ['by way of one of its own', 'main.mjs', "import './inner.cjs';\n", 'tool.cjs'],
  ["the project's package", 'main.mjs', "import 'dep';\n", 'dep'],
  ["the project's package, required", 'main.cjs', "require('dep');\n", 'dep'],
  [
    'through createRequire',
    'main.mjs',
    "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('../tool.cjs');\n",
    'tool.cjs',
  ],
  ['a module in its address', 'main.mjs', "import 'data:text/javascript,import(import.meta.url)';\n", 'data:'],
])('refuses what lies outside of the folder: %s', async (_how, main, code, named) => {
  const project = { '../tool.cjs': '', '../node_modules/dep/index.js': '', 'inner.cjs': "require('../tool.cjs');\n" };
  const said = await loaded(`outside/${String((folders += 1))}`, {
    [main]: `${code}${main.endsWith('.cjs') ? 'module.exports =' : 'export default'} () => 'ran';\n`,
    ...project,
  });
  expect(said).toMatch(/^PLUGIN_LOAD_FAILED /u);
  expect(said).toMatch(new RegExp(`"[^"]*${named.replaceAll('.', '\\.')}[^"]*" does not lie in the plugin's folder; .*: kit`, 'u'));
});

it('runs what lies in the folder and what Node brings along, imported and required', async () => {
  const main =
    "import { sep } from 'path';\nimport dep from 'dep';\nimport inner from './lib/inner.cjs';\nexport default () => `${typeof sep} ${dep} ${inner}`;\n";
  const inner = "const { join } = require('path');\nmodule.exports = `${typeof join} ${require('dep')} ${require('./more.cjs')}`;\n";
  expect(
    await loaded('whole', {
      'main.mjs': main,
      'lib/inner.cjs': inner,
      'lib/more.cjs': 'module.exports = 3;\n',
      'node_modules/dep/index.js': 'module.exports = 2;\n',
    }),
  ).toBe('string 2 function 2 3 no');
});

const answers = 'export default () => dep;\n';
const refused = /^PLUGIN_LOAD_FAILED .* start the process again/u;
it.each([
  ['main.mjs', /^1 true 2$/u, { 'main.mjs': 'export default () => 1;\n' }, 'main.mjs'],
  ['main.ts', /^1 true 2$/u, { 'main.ts': 'export default (): number => 1;\n' }, 'main.ts'],
  [
    'what it imports',
    /^1 true 2$/u,
    { 'main.mjs': `import { dep } from './dep.mjs';\n${answers}`, 'dep.mjs': 'export const dep = 1;\n' },
    'dep.mjs',
  ],
  [
    'what it imports, typed',
    /^1 true 2$/u,
    { 'main.ts': `import { dep } from './dep.ts';\n${answers}`, 'dep.ts': 'export const dep: number = 1;\n' },
    'dep.ts',
  ],
  ['CommonJS', refused, { 'main.cjs': 'module.exports = () => 1;\n' }, 'main.cjs'],
  [
    'CommonJS that it imports',
    refused,
    { 'main.mjs': `import dep from './dep.cjs';\n${answers}`, 'dep.cjs': 'module.exports = 1;\n' },
    'dep.cjs',
  ],
  [
    'what that requires',
    refused,
    {
      'main.mjs': `import dep from './dep.cjs';\n${answers}`,
      'dep.cjs': "module.exports = require('./deeper.cjs');\n",
      'deeper.cjs': 'module.exports = 1;\n',
    },
    'deeper.cjs',
  ],
])('never runs what the folder no longer holds: %s', async (what, says, files, changed) => {
  const folder = join(root, `anew-${what.replaceAll(/\W/gu, '-')}`);
  await written(folder, files);
  expect(
    await run(`
    import { loadDefinition } from ${JSON.stringify(new URL('../dist/load-engine.js', import.meta.url).href)};
    import { readFileSync } from 'node:fs';
    import { writeFileSync } from 'node:fs';
    const loaded = async () => (await loadDefinition(${JSON.stringify({ folder, main: '', manifest: manifestOf(what, Object.keys(files)[0] ?? '') })})).factory;
    const [first, again] = [await loaded(), await loaded()];
    const before = first();
    const file = ${JSON.stringify(join(folder, changed))};
    writeFileSync(file, readFileSync(file, 'utf8').replace('1', '2'));
    const then = await loaded();
    console.log(before, first === again, then());
  `),
  ).toMatch(says);
});

it('says what is missing, and what cannot be stripped', async () => {
  expect(await loaded('asks', { 'main.mjs': "import 'left-pad';\nexport default () => 1;\n" })).toMatch(/^PLUGIN_LOAD_FAILED .*left-pad/u);
  expect(await loaded('enums', { 'main.ts': 'enum A { B }\nexport default () => A.B;\n' })).toMatch(/^PLUGIN_LOAD_FAILED .*enum/iu);
});
