import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const bin = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const OLDEST = '22.15';

it('is one version in every published package, in the README and in CI', () => {
  const manifests = readdirSync(new URL('packages/', root)).map(
    (name) =>
      JSON.parse(readFileSync(new URL(`packages/${name}/package.json`, root), 'utf8')) as {
        private?: boolean;
        engines?: { node?: string };
      },
  );
  expect(manifests.length).toBeGreaterThan(10);
  for (const { engines } of manifests.filter((one) => one.private !== true)) expect(engines?.node).toBe(`>=${OLDEST}`);
  expect(readFileSync(new URL('README.md', root), 'utf8')).toContain(`Node ${OLDEST} or newer`);
  expect(readFileSync(new URL('.ci/node22/package.json', root), 'utf8')).toContain(`@${OLDEST}.0"`);
});

it.each([
  ['22.14.0', 1],
  ['20.20.2', 1],
  ['22.15.0', 0],
  ['24.0.0', 0],
])('Node %s: exit code %i, before anything is loaded', (version, code) => {
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const told = execFileSync('sh', ['-c', '"$@" 2>&1; echo "exit $?"', 'sh', process.execPath, '--import', pretend, bin, '--version'], {
    encoding: 'utf8',
  });
  expect(told).toMatch(code === 0 ? /^0\.1\.0\nexit 0\n$/u : /^palimpsest needs Node\.js 22\.15 or newer; this is v\S+\.\nexit 1\n$/u);
});
