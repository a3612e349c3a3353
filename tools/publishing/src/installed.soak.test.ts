import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CONFIG, filesOfPage, HOST_SCRIPT, HOST_TYPES, tsconfig } from '../test/project.ts';
import { Scratch, type Ran } from '../test/scratch.ts';
import { sessionFile } from '../test/session-file.ts';
import { entriesOf } from './api/entries.ts';
import { packageAt, publishedPackages, ROOT } from './packages.ts';
import { pack } from './tarballs/pack.ts';

const EXAMPLE = 'palimpsest-engine-turn-diary';
const NO_REGISTRY = 'no registry answers, and what the packages need of others is not in the cache of npm';
const packages = publishedPackages();
interface ReplayReport {
  readonly totals: { readonly compactions: number };
}

let scratch: Scratch;
let installed = false;

/** The packages and the example engine as tarballs: all of them in a project, the engine and what it needs in the folder of the user. */
beforeAll(async () => {
  scratch = await Scratch.open();
  await mkdir(scratch.path('tarballs'));
  const tarballs = pack([...packages, packageAt(ROOT, 'apps/example-engine')], scratch.path('tarballs'), ROOT);
  const ofUser = tarballs.filter(({ manifest }) => [EXAMPLE, '@palimpsest/plugin-kit', '@palimpsest/contracts'].includes(manifest.name));
  installed = (await scratch.install('project', tarballs, ['zod', 'vitest', 'vite'])) && (await scratch.install('home', ofUser, ['zod']));
  if (!installed) console.warn(`SKIPPED, all of it: ${NO_REGISTRY}`);
  await scratch.write('project/palimpsest.yaml', CONFIG);
}, 180_000);
afterAll(() => scratch.close());
beforeEach(({ skip }) => {
  skip(!installed, NO_REGISTRY);
});

const palimpsest = (...args: readonly string[]): Promise<Ran> => scratch.run('project', 'npx', '--no-install', 'palimpsest', ...args);

async function json(...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await palimpsest(...args, '--json');
  if (code !== 0) throw new Error(`${args.join(' ')}: exit ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}

it('finds the engine of a package that the configuration names', async () => {
  const { version } = packageAt(ROOT, 'apps/example-engine').manifest;
  expect(await json('engines')).toMatchObject({
    asked: 'turn-diary',
    name: 'turn-diary',
    version,
    resolvedFrom: 'registry',
    substituted: false,
  });
  expect((await palimpsest('engine', 'sync', join('node_modules', EXAMPLE))).stdout).toContain('nothing to change');
});

it('replays a session with it, and everything that has to hold holds', async () => {
  await scratch.write('project/session.jsonl', sessionFile(30));
  const report = (await json('replay', 'session.jsonl', '--window', '16000')) as ReplayReport;
  expect(report).toMatchObject({
    engine: { name: 'turn-diary', resolvedFrom: 'registry', substitution: null },
    invariants: { fits: true, pairs: true, newestUserEntry: true, accounted: true, prefixStable: true },
    totals: { requests: 60, overBudgetRequests: 0, exhausted: 0, hostCompactions: 0 },
    refusals: [],
    notices: [],
  });
  expect(report.totals.compactions).toBeGreaterThan(0);
});

it('is a library: a script opens a runtime and registers an engine', async () => {
  await scratch.write('project/host.mjs', HOST_SCRIPT);
  const { stdout, stderr } = await scratch.run('project', process.execPath, 'host.mjs');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject([
    { text: 'Yes.', ended: 'answered' },
    { text: 'Yes.', ended: 'answered' },
  ]);
  expect(stdout).toContain('turn-diary@');
  expect(stdout).toContain('all-of-it@1.0.0');
});

it('has types that a strict compiler takes, declarations of every entry included', async () => {
  const specifiers = packages.flatMap(entriesOf).map(({ specifier }) => specifier);
  const all = specifiers.map((specifier, at) => `import * as entry${String(at)} from '${specifier}';\n`);
  await scratch.write(
    'project/types/all.ts',
    `${all.join('')}console.log(${specifiers.map((_, at) => `entry${String(at)}`).join(', ')});\n`,
  );
  await scratch.write('project/types/host.ts', HOST_TYPES);
  await scratch.write('project/types/tsconfig.json', tsconfig(['all.ts', 'host.ts'], { skipLibCheck: false }));
  // The compiler that most users still have takes a quarter of a minute for all declarations.
  await scratch.write('project/types/host.json', tsconfig(['host.ts'], { skipLibCheck: true }));
  const compile = (compiler: string, project: string): Promise<Ran> =>
    scratch.run('project', process.execPath, join(ROOT, 'node_modules', compiler, 'bin/tsc'), '-p', `types/${project}`);
  const well = { code: 0, stdout: '', stderr: '' };
  expect(await Promise.all([compile('typescript7', 'tsconfig.json'), compile('typescript', 'host.json')])).toEqual([well, well]);
});

it('checks the engine of the tutorial in a plain test', async () => {
  const files = filesOfPage(await readFile(join(ROOT, 'docs/write-an-engine.md'), 'utf8'));
  expect([...files.keys()]).toEqual(['plugin.yaml', 'index.ts', 'engine.test.ts']);
  const folder = 'plugins/context_engine/first-half';
  // The whole kit takes a minute; the test of the command runs it.
  for (const [name, text] of files)
    await scratch.write(
      join('project', folder, name),
      text.replace('conformance(firstHalf)', "conformance(firstHalf, { groups: ['budget', 'branch', 'cache'] })"),
    );
  const { code, stdout, stderr } = await scratch.run('project', 'npx', '--no-install', 'vitest', 'run', folder);
  expect(`${stdout}${stderr}`).toMatch(/Tests\s+3 passed/u);
  expect(code).toBe(0);
  await palimpsest('engine', 'trust', 'first-half');
  await scratch.write('project/palimpsest.yaml', 'context: { engine: first-half }\n');
  expect(await json('engines')).toMatchObject({ name: 'first-half', resolvedFrom: 'project', substituted: false });
});
