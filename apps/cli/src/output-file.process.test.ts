import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

const command = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const exec = promisify(execFile);
let place: Place;
let text = '';
beforeAll(async () => {
  place = await Place.open();
  await writeFile(
    place.path('palimpsest.yaml'),
    'models:\n  one: { provider: scripted, script: [{ text: hello }] }\nagent: { model: one }\n',
  );
  await place.run('run', 'Hi', '--session', 'work');
  text = (await place.run('sessions', 'export', 'work')).stdout;
}, 60_000);
afterAll(async () => {
  await place.close();
});

const exported = (name: string, ...more: readonly string[]) => place.run('sessions', 'export', 'work', '-o', place.path(name), ...more);
const shell = async (script: string): Promise<string> =>
  (
    await exec('bash', ['-c', `p() { "${process.execPath}" "${command}" "$@"; }; { ${script}; } 2>&1`], {
      cwd: place.folder,
      env: { ...process.env, PALIMPSEST_HOME: place.path('home') },
      timeout: 30_000,
    })
  ).stdout;

it('keeps the mode of a file, and a link a link', async () => {
  await writeFile(place.path('kept'), 'old');
  await chmod(place.path('kept'), 0o600);
  await symlink('kept', place.path('link'));
  await symlink('fresh', place.path('nowhere'));
  expect(await exported('link')).toMatchObject({ code: 0, stdout: expect.stringMatching(/link: [\d,]+ bytes, palimpsest\n$/u) as string });
  expect([
    await readFile(place.path('kept'), 'utf8'),
    (await stat(place.path('kept'))).mode & 0o777,
    await readlink(place.path('link')),
  ]).toEqual([text, 0o600, 'kept']);
  expect((await place.run('config', 'schema', '-o', place.path('nowhere'))).code).toBe(0);
  expect(JSON.parse(await readFile(place.path('fresh'), 'utf8'))).toHaveProperty('properties.models');
}, 60_000);

it('writes to a pipe, and to stdout under each of its names', async () => {
  expect(await shell('mkfifo pipe; cat pipe > copy & p sessions export work -o pipe; wait; cat copy')).toBe(
    `pipe: ${text.length.toLocaleString('en')} bytes, palimpsest\n${text}`,
  );
  await symlink('/proc/self/fd/1', place.path('stdout'));
  for (const name of ['stdout', '-', '/dev/fd/1', '/proc/self/fd/1'])
    expect([name, await shell(`echo begun > log; p sessions export work -o ${name} >> log; cat log`)]).toEqual([name, `begun\n${text}`]);
  expect(await exported('stdout', '--json')).toMatchObject({ code: 2 });
  expect(await shell('echo begun > log; p sessions export work -o /dev/fd/3 --json 3>> log | wc -l; cat log')).toBe(`6\nbegun\n${text}`);
}, 60_000);

/** Of one's own: a fault here would take away the machine's. */
const canMakeDevices = process.getuid?.() === 0 && existsSync('/dev/full');
it.skipIf(!canMakeDevices)(
  'writes to a device and leaves it one; a full one is told',
  async () => {
    for (const [name, number] of [
      ['null', '3'],
      ['full', '7'],
    ] as const)
      execFileSync('mknod', [place.path(name), 'c', '1', number]);
    expect((await exported('null')).code).toBe(0);
    expect(await exported('full')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^FILE_WRITE_FAILED: Writing \S+full failed: ENOSPC.*\n {2}\S.*\n$/u) as string,
    });
    for (const name of ['null', 'full']) expect((await lstat(place.path(name))).isCharacterDevice()).toBe(true);
  },
  60_000,
);

it.skipIf(!existsSync('/proc/version'))(
  'refuses a folder, a missing folder, what the system keeps and no name at all',
  async () => {
    await mkdir(place.path('folder'));
    for (const name of [place.path('folder'), place.path('none/x'), '/proc/x', '/proc/version']) {
      expect(await place.run('sessions', 'export', 'work', '-o', name)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^FILE_UNWRITABLE: (?!.*\.part).*\n {2}\S.*\n$/u) as string,
      });
    }
    expect(await place.run('config', 'schema', '-o', '')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^USAGE_INVALID: .*\n {2}\S.*\n$/u) as string,
    });
    expect((await readdir(place.folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
  60_000,
);

it('dumps requests over files that are there, mode and links kept', async () => {
  await writePiFile(place.path('pi.jsonl'), { turns: 1, callsEach: 0 });
  await mkdir(place.path('dump'));
  await writeFile(place.path('elsewhere.json'), '');
  await chmod(place.path('elsewhere.json'), 0o640);
  await symlink('../elsewhere.json', place.path('dump/000001.json'));
  expect((await place.run('replay', place.path('pi.jsonl'), '--dump-requests', place.path('dump'))).code).toBe(0);
  expect(await readlink(place.path('dump/000001.json'))).toBe('../elsewhere.json');
  expect(JSON.parse(await readFile(place.path('elsewhere.json'), 'utf8'))).toHaveProperty('messages');
  expect((await stat(place.path('elsewhere.json'))).mode & 0o777).toBe(0o640);
}, 60_000);
