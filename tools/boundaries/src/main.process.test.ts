import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'boundaries-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const feature = (name: string, dependencies: object): void => {
  const exports = { '.': { '@palimpsest/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } };
  write(
    `packages/${name}/package.json`,
    JSON.stringify({
      name: `@palimpsest/${name}`,
      description: name,
      license: 'MIT',
      publishConfig: { access: 'public' },
      nx: { tags: ['layer:feature'] },
      exports,
      dependencies,
    }),
  );
  write(`packages/${name}/tsconfig.json`, '{}');
  write(`packages/${name}/README.md`, `# ${name}`);
};

const run = (): { readonly status: number | null; readonly stdout: string } =>
  spawnSync(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url)), '--root', root], { encoding: 'utf8' });

it('exits with 1 for a forbidden import on disk, and with 0 without it', () => {
  for (const folder of ['packages', 'apps', 'tools']) mkdirSync(join(root, folder), { recursive: true });
  write('package.json', '{}');
  write('tsconfig.json', '{ "references": [{ "path": "packages/one" }, { "path": "packages/two" }] }');
  feature('one', {});
  feature('two', {});
  write('packages/one/src/index.ts', "export { one } from './one.ts';\n");
  write('packages/one/src/one.ts', 'export const one = 1;\n');
  expect(run()).toMatchObject({ status: 0 });
  write('packages/two/src/index.ts', "export { two } from './two.ts';\n");
  write('packages/two/src/two.ts', "import { one } from '@palimpsest/one';\nexport const two = one;\n");
  const { status, stdout } = run();
  expect(stdout).toContain(
    'packages/two/src/two.ts:1  dependency-table  @palimpsest/two (feature) may not import @palimpsest/one (feature)',
  );
  expect(status).toBe(1);
});
