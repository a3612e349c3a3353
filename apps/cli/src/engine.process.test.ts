import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Place } from '../test/command.ts';

/** `npm run soak`: what takes long beside what it shows. */
const long = it.runIf(inject('soak'));

let place: Place;
beforeAll(async () => {
  place = await Place.open();
  await writeFile(
    place.path('palimpsest.yaml'),
    'context:\n  engine: deep\nmodels:\n  one: { provider: scripted, script: [{ text: hello }] }\nagent: { model: one }\n',
  );
});
afterAll(async () => {
  await place.close();
});

const folder = (name: string): string => place.path('plugins', 'context_engine', name);
const chosen = async (): Promise<{ resolvedFrom: string; name: string; lookups: { why: string }[] }> => place.json('engines');

it('makes a plugin that passes the kit, runs it once it is trusted, and no longer once a file changes', async () => {
  const made = await place.run('engine', 'new', 'deep');
  expect([made.code, made.stdout.includes('engine trust deep')]).toEqual([0, true]);
  const { passed, checks } = await place.json<{ passed: boolean; checks: unknown[] }>(
    'engine',
    'check',
    folder('deep'),
    '--group',
    'shape',
    'budget',
    'coverage',
  );
  expect([passed, checks.length]).toEqual([true, 14]);

  expect(await chosen()).toMatchObject({
    resolvedFrom: 'built-in',
    lookups: [{ why: expect.stringContaining('engine trust deep') as string }, {}, {}, {}],
  });
  expect((await place.run('engine', 'trust', 'deep')).stdout).toMatch(/^trusted: deep 0\.1\.0/u);
  expect(await chosen()).toMatchObject({ resolvedFrom: 'project', name: 'deep' });
  expect(await place.run('run', 'Hi', '--session', 'deep')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('hello') as string,
    stderr: '',
  });
  expect(await place.json('why', 'deep')).toMatchObject({ engine: 'deep@0.1.0', verified: true });

  await writeFile(
    `${folder('deep')}/index.ts`,
    (await readFile(`${folder('deep')}/index.ts`, 'utf8')).replace('default(4000)', 'default(5000)'),
  );
  expect(await chosen()).toMatchObject({
    resolvedFrom: 'built-in',
    lookups: [{ why: expect.stringContaining('changed since it was trusted') as string }, {}, {}, {}],
  });
  expect((await place.run('engine', 'sync', folder('deep'))).stdout).toContain('options written');
  expect(await readFile(`${folder('deep')}/plugin.yaml`, 'utf8')).toMatch(/# Written by `palimpsest engine sync`[\s\S]*default: 5000/u);
  await place.run('engine', 'trust', 'deep');
  expect((await place.run('engine', 'untrust', 'deep')).stdout).toContain('no longer trusted');
  expect((await chosen()).resolvedFrom).toBe('built-in');
}, 120_000);

long(
  'takes the trust away from what is gone, moved, broken, or behind a link that leads nowhere',
  async () => {
    const trusted = async (): Promise<readonly string[]> =>
      Object.keys((JSON.parse(await readFile(place.path('home', 'trusted-plugins.json'), 'utf8')) as { folders: object }).folders);
    await mkdir(place.path('elsewhere'));
    await place.run('engine', 'new', 'linked', '--in', place.path('elsewhere'));
    await rm(place.path('home', 'trusted-plugins.json'), { force: true });
    for (const name of ['gone', 'moved', 'broken']) await place.run('engine', 'new', name);
    await symlink(place.path('elsewhere', 'linked'), folder('linked'));
    for (const name of ['gone', 'moved', 'broken', 'linked']) expect((await place.run('engine', 'trust', name)).code).toBe(0);
    await Promise.all([
      rm(folder('gone'), { recursive: true }),
      rename(folder('moved'), place.path('moved')),
      writeFile(`${folder('broken')}/plugin.yaml`, ']['),
      rm(place.path('elsewhere'), { recursive: true }),
    ]);

    for (const name of ['gone', 'broken', 'linked'])
      expect(await place.run('engine', 'untrust', name)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`no longer trusted: ${name}, `) as string,
      });
    const left = folder('moved');
    expect(await trusted()).toEqual([left]);
    expect(await place.run('engine', 'untrust', 'nobody')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`\n  ${left}\n`) as string,
    });
    expect(await place.json('engine', 'untrust', left)).toMatchObject({ was: true, folder: left, trusted: [] });
    expect(await trusted()).toEqual([]);
  },
  120_000,
);

it.skipIf(!existsSync('/proc/self'))(
  'ends, with what is wrong, where the system makes no folders',
  async () => {
    const made = await place.run('engine', 'new', 'nowhere', '--in', '/proc/none/x');
    expect(made).toMatchObject({ code: 2, stderr: expect.stringMatching(/^FILE_UNWRITABLE: .*\n {2}\S.*\n$/u) as string });
  },
  30_000,
);

it('keeps a linked manifest linked, and its mode, when it writes the options', async () => {
  await place.run('engine', 'new', 'synced');
  await rename(`${folder('synced')}/plugin.yaml`, `${folder('synced')}/real.yaml`);
  await symlink('real.yaml', `${folder('synced')}/plugin.yaml`);
  await chmod(`${folder('synced')}/real.yaml`, 0o600);
  await writeFile(
    `${folder('synced')}/index.ts`,
    (await readFile(`${folder('synced')}/index.ts`, 'utf8')).replace('default(4000)', 'default(7000)'),
  );
  expect((await place.run('engine', 'sync', folder('synced'))).code).toBe(0);
  expect(await readFile(`${folder('synced')}/real.yaml`, 'utf8')).toContain('default: 7000');
  expect([await readlink(`${folder('synced')}/plugin.yaml`), (await stat(`${folder('synced')}/real.yaml`)).mode & 0o777]).toEqual([
    'real.yaml',
    0o600,
  ]);
}, 60_000);

it('runs nothing of a cloned repository before it is trusted', async () => {
  await mkdir(folder('evil'), { recursive: true });
  await writeFile(`${folder('evil')}/plugin.yaml`, 'name: evil\nversion: 1.0.0\ncontract: ^1.0\nmain: index.mjs\n');
  await writeFile(
    `${folder('evil')}/index.mjs`,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(place.path('owned'))}, ''); export default () => ({});`,
  );
  await writeFile(
    place.path('evil.yaml'),
    'context: { engine: evil, engines: { evil: { a: 1 } } }\nmodels:\n  one: { provider: scripted, script: [{ text: hello }] }\nagent: { model: one }\n',
  );
  for (const args of [['engines'], ['run', 'Hi'], ['doctor'], ['config', 'check'], ['config', 'explain'], ['models'], ['sessions', 'list']])
    await place.run(
      ...args,
      ...(args[0] === 'sessions' ? [] : args[1] === 'check' ? [place.path('evil.yaml')] : ['--config', place.path('evil.yaml')]),
    );
  await place.run('engine', 'trust', 'evil');
  await expect(readFile(place.path('owned'))).rejects.toMatchObject({ code: 'ENOENT' });
}, 120_000);

it('names what an engine breaks, with exit 1, and ends although it leaves a timer', async () => {
  await mkdir(folder('bad'), { recursive: true });
  await writeFile(`${folder('bad')}/plugin.yaml`, 'name: bad\nversion: 1.0.0\ncontract: ^1.0\nmain: index.mjs\n');
  await writeFile(
    `${folder('bad')}/index.mjs`,
    'setInterval(() => {}, 1000);\nexport default () => ({ plan: ({ branch }) => ({ segments: [{ through: branch.first, show: "entries" }], estimateTokens: 0 }) });',
  );
  const { code, stdout } = await place.run('engine', 'check', folder('bad'), '--group', 'shape', 'coverage');
  expect(code).toBe(1);
  expect(stdout).toContain('FAIL coverage');
  expect(stdout).toContain('plan breaks "not-whole"');
}, 120_000);

long(
  'checks and writes the plugin of the folder one is in, and says how to trust it from there',
  async () => {
    const made = await place.run('engine', 'new', 'inside');
    expect(made.stdout).toContain(`\n  palimpsest engine check ${folder('inside')}\n  palimpsest engine trust inside\n`);
    for (const path of ['.', './'])
      expect(await place.runIn(folder('inside'), 'engine', 'check', path, '--group', 'shape')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^ok.*\nnot run: purity, .*\ninside@0\.1\.0 breaks nothing in what was run/u) as string,
      });
    expect((await place.runIn(folder('inside'), 'engine', 'sync', '.')).stdout).toContain('nothing to change');
    for (const named of ['inside', '.', '../inside'])
      expect(await place.runIn(folder('inside'), 'engine', 'trust', named)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`  Run: cd ${place.folder} && palimpsest engine trust inside\n`) as string,
      });
  },
  120_000,
);

long(
  'what it advises for a plugin that was made elsewhere works as it is printed',
  async () => {
    await mkdir(place.path('else where'));
    const { stdout } = await place.run('engine', 'new', 'strange', '--in', 'else where');
    const steps = [...stdout.matchAll(/^ {2}((?:palimpsest|mkdir) .*)$/gmu)].map(([, step]) => step ?? '');
    expect(steps.map((step) => step.replace(/ .*/u, ''))).toEqual(['palimpsest', 'mkdir', 'palimpsest']);
    const command = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
    const typed = [`palimpsest() { '${process.execPath}' '${command}' "$@"; }`, `${steps[0] ?? ''} --group shape`, ...steps.slice(1)].join(
      ' && ',
    );
    await promisify(execFile)('sh', ['-c', typed], { cwd: place.folder, env: { ...process.env, PALIMPSEST_HOME: place.path('home') } });
    expect(await place.json('engines', 'strange')).toMatchObject({ resolvedFrom: 'project', name: 'strange' });
  },
  120_000,
);

const refusedNames: readonly (readonly [string, number])[] = [
  ['compressor', 1],
  ['lcm', 1],
  ['sliding', 1],
  ['Not A Name', 2],
  ['../up', 2],
  ['/root', 2],
  ['', 2],
  ['a'.repeat(65), 2],
  ['there', 2],
];
it.each(inject('soak') ? refusedNames : refusedNames.filter(([name]) => name === 'lcm' || name === '../up'))(
  'makes no engine named %j',
  async (name, exit) => {
    await mkdir(folder('there'), { recursive: true });
    const before = await readdir(place.path('plugins', 'context_engine'));
    const { code, stdout, stderr } = await place.run('engine', 'new', name);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(/^(?:ENGINE_NAME_TAKEN|USAGE_INVALID): .*\n {2}\S.*\n$/u);
    expect(await readdir(place.path('plugins', 'context_engine'))).toEqual(before);
  },
  60_000,
);

it('says what is wrong in one line, with exit 2 or 1', async () => {
  expect(await place.run('engine', 'check', place.path('nowhere'))).toMatchObject({ code: 2 });
  for (const verb of ['check', 'sync'])
    for (const where of ['nowhere', '.'])
      expect(await place.run('engine', verb, where)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^USAGE_INVALID: .*\n {2}Name the folder.*\n$/u) as string,
      });
  const { code, stderr } = await place.run('engine', 'trust', 'nowhere');
  expect([code === 0, stderr.includes('    at ')]).toEqual([false, false]);
  expect(stderr).toContain('no such folder');
}, 60_000);

it('the tutorial holds: what it writes down passes the kit, by the command and by vitest', async () => {
  const page = await readFile(new URL('../../../docs/write-an-engine.md', import.meta.url), 'utf8');
  const files = [...page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/gu)];
  expect(files.map(([, name]) => name)).toEqual(['plugin.yaml', 'index.ts', 'engine.test.ts']);
  await mkdir(folder('first-half'), { recursive: true });
  for (const [, name = '', text = ''] of files)
    await writeFile(
      `${folder('first-half')}/${name}`,
      text.replace('conformance(firstHalf)', "conformance(firstHalf, { groups: ['shape', 'budget'] })"),
    );
  expect(files[1]?.[2]?.trim().split('\n').length).toBeLessThanOrEqual(30);
  const report = await place.json<{ passed: boolean; failedGroups: string[] }>(
    'engine',
    'check',
    folder('first-half'),
    '--group',
    'shape',
    'purity',
    'budget',
    'structure',
    'coverage',
    'crash',
    'branch',
  );
  expect(report).toMatchObject({ passed: true, failedGroups: [] });

  await symlink(fileURLToPath(new URL('../../../node_modules', import.meta.url)), place.path('node_modules'));
  const [, ...words] = /^npx (vitest run \S+)$/mu.exec(page)?.[1]?.split(' ') ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, [place.path('node_modules/vitest/vitest.mjs'), ...words], {
    cwd: place.folder,
    env: { ...process.env, VITEST: undefined, NO_COLOR: '1' },
  });
  expect(stdout).toMatch(/Tests +2 passed/u);
}, 240_000);
