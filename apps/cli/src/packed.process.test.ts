import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '../test/command.ts';

const exec = promisify(execFile);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
let place: Place;
let files: readonly string[];
/** As an installation lays it out: the package, and what it depends on above it. */
beforeAll(async () => {
  place = await Place.open();
  const tarball = place.path((await exec('npm', ['pack', '--pack-destination', place.folder], { cwd: here('..') })).stdout.trim());
  await mkdir(place.path('lib'));
  await exec('tar', ['-xzf', tarball, '-C', place.path('lib')]);
  files = (await exec('tar', ['-tzf', tarball])).stdout.trim().split('\n');
  await symlink(here('../../../node_modules'), place.path('lib', 'node_modules'));
  await symlink(here('../node_modules'), place.path('lib', 'package', 'node_modules'));
}, 60_000);
afterAll(async () => {
  await place.close();
});

it('holds what it runs on and what it shows, and nothing else', () => {
  const kinds = new Set(
    files.map((file) => file.replace(/^package\/(?:dist\/.*\.js|sample\/.*|bin\/.*)$/u, (path) => path.split('/')[1] ?? '')),
  );
  expect([...kinds].sort()).toEqual(['bin', 'dist', 'package/LICENSE', 'package/README.md', 'package/package.json', 'sample']);
});

it('replays its sample session from where it is installed', async () => {
  const { stdout, stderr } = await exec(process.execPath, [place.path('lib', 'package', 'bin', 'palimpsest.js'), 'demo', '--json'], {
    cwd: place.folder,
    env: { ...process.env, PALIMPSEST_HOME: place.path('home') },
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ transcript: { format: 'pi' }, totals: { requests: 92 } });
}, 60_000);
