import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

const command = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const embed = fileURLToPath(new URL('../../embed/dist/main.js', import.meta.url));
const exec = promisify(execFile);
let place: Place;
let file: string;
let requests: number;
beforeAll(async () => {
  place = await Place.open();
  file = place.path('session.jsonl');
  ({ requests } = await writePiFile(file, { turns: 40, resultCharacters: 2_000 }));
  await writeFile(
    place.path('palimpsest.yaml'),
    'models:\n  one: { provider: scripted, script: [{ text: hello }] }\nagent: { model: one }\n',
  );
});
afterAll(async () => {
  await place.close();
});

it('replays, dumps each request, and gives the same bytes for every step when asked why', async () => {
  const report = await place.json<{
    session: string;
    totals: { requests: number; compactions: number; overBudgetRequests: number; invalidRequests: number };
    invariants: object;
    transcript: object;
  }>('replay', file, '--window', '8000', '--dump-requests', place.path('dump'));
  expect(report.totals).toMatchObject({ requests, overBudgetRequests: 0, invalidRequests: 0 });
  expect(report.totals.compactions).toBeGreaterThan(0);
  expect(Object.values(report.invariants)).toEqual([true, true, true, true, true]);
  expect(report.transcript).toMatchObject({ format: 'pi', userInput: 40, assistant: 80, toolCalls: 80, toolResults: 80, skipped: [] });
  expect(await readdir(place.path('dump'))).toHaveLength(requests);
  for (const step of [1, 33, requests]) {
    const { stdout, code } = await place.run('why', report.session, String(step), '--request');
    expect(code).toBe(0);
    expect(stdout).toBe(await readFile(place.path('dump', `${String(step).padStart(6, '0')}.json`), 'utf8'));
  }
});

it('says what it dumped, and which requests of an earlier run it removed', async () => {
  await writePiFile(place.path('short.jsonl'), { turns: 2, callsEach: 0 });
  const { code, stdout } = await place.run('replay', place.path('short.jsonl'), '--dump-requests', place.path('dump'));
  expect(code).toBe(0);
  expect(stdout).toContain(`2 to ${place.path('dump')}; ${String(requests - 2)} requests of an earlier run removed there`);
  expect((await readdir(place.path('dump'))).sort()).toEqual(['000001.json', '000002.json']);
  expect((await place.run('replay', place.path('short.jsonl'), '--dump-requests', place.path('dump'))).stdout).toMatch(
    /^requests dumped +2 to \S+$/mu,
  );
});

it.runIf(inject('soak'))(
  'takes no name that no engine can have: exit code 2, a hint, nothing written',
  async () => {
    const empty = await Place.open();
    try {
      for (const name of ['../../x', '', 'a b']) {
        for (const args of [
          ['replay', file, '--engine', name],
          ['compare', file, '--engines', `compressor,${name || '..'}`],
          ['engines', name],
          ['run', 'Hi', '--engine', name],
        ]) {
          expect(await empty.run(...args)).toMatchObject({
            code: 2,
            stdout: '',
            stderr: expect.stringMatching(/^USAGE_INVALID: .*\n {2}\S.*\n$/u) as string,
          });
        }
      }
      expect(existsSync(empty.database)).toBe(false);
    } finally {
      await empty.close();
    }
  },
  60_000,
);

it('reads a gzipped file as it is and keeps replays of other windows apart', async () => {
  await writeFile(place.path('session.gz'), gzipSync(await readFile(file)));
  const report = await place.json<{ session: string; totals: { requests: number } }>(
    'replay',
    place.path('session.gz'),
    '--window',
    '64000',
  );
  expect(report.totals.requests).toBe(requests);
  expect((await place.json<{ id: string }[]>('sessions', 'list')).map(({ id }) => id)).toContain(report.session);
});

it('reads a session file from stdin, and says what it left out of a list', async () => {
  const script = `gzip -c "${file}" | "${process.execPath}" "${command}" sessions import - --as piped && "${process.execPath}" "${command}" sessions show piped --limit 3; ls "$TMPDIR"`;
  const { stdout } = await exec('bash', ['-c', script], {
    cwd: place.folder,
    env: { ...process.env, PALIMPSEST_HOME: place.path('home'), TMPDIR: place.path('dump') },
  });
  expect(stdout).toMatch(/^piped +201 +0 +pi$/mu);
  expect(stdout).toMatch(/^3 shown, the newest of the current path; there are more: --limit 30$/mu);
  expect(stdout).not.toContain('palimpsest-stdin');
  expect(await place.run('replay', '-')).toMatchObject({ code: 2, stderr: expect.stringContaining('TRANSCRIPT_UNKNOWN_FORMAT') as string });
  await writeFile(place.path('probes.json'), '[{ "anchor": "a", "needed_at": 1, "last_seen_at": 0 }, { "anchor": "" }]');
  const { code, stderr } = await place.run('replay', file, '--probes', 'probes.json');
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    'USAGE_INVALID: --probes probes.json: [1].anchor: Too small: expected string to have >=1 characters',
  ]);
});

it('prints pure JSON for everything that prints data', async () => {
  const [{ session } = { session: '' }] = await place.json<{ session: string }[]>('sessions', 'import', file);
  for (const args of [
    ['sessions', 'list'],
    ['sessions', 'show', session],
    ['engines'],
    ['engines', 'nowhere'],
    ['config', 'check'],
    ['config', 'explain'],
    ['config', 'explain', 'agent'],
    ['run', 'Hi', '--session', 'talk'],
    ['why', 'talk'],
  ]) {
    const { code, stdout, stderr } = await place.run(...args, '--json');
    expect([args, code, stderr]).toEqual([args, 0, '']);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  }
});

it('prints tables and texts for people, quiet in a pipe', async () => {
  const listed = await place.run('sessions', 'list');
  expect(listed.stdout.split('\n')[0]).toMatch(/^session +entries +updated +name$/u);
  const ran = await place.run('run', 'Hi', '--session', 'people');
  expect(ran).toMatchObject({ code: 0, stdout: 'hello\n[people: answered, 1 step]\n', stderr: '' });
  const why = await place.run('why', 'people');
  expect(why.stdout).toContain('newest user input');
  expect(why.stdout).toContain('The request was rebuilt from the log and hashes to what the step recorded.');
  const replayed = await place.run('replay', file, '--window', '8000');
  expect(replayed).toMatchObject({ code: 0, stderr: '' });
  expect(replayed.stdout).toContain('all hold');
});

it.runIf(inject('soak'))('refuses to import again what went on since, and keeps it', async () => {
  const [{ session } = { session: '' }] = await place.json<{ session: string }[]>('sessions', 'import', file);
  expect((await place.run('run', 'And now?', '--session', session)).code).toBe(0);
  const again = await place.run('sessions', 'import', file);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('USAGE_INVALID');
  expect((await place.run('sessions', 'show', session)).stdout).toContain('And now?');
});

it('ends clean when whoever reads its output has enough', async () => {
  const sessions = await place.json<{ id: string; entries: number }[]>('sessions', 'list');
  const longest = [...sessions].sort((a, b) => b.entries - a.entries)[0]?.id ?? '';
  const { stdout, stderr } = await exec(
    'bash',
    ['-c', `"${process.execPath}" "${command}" sessions show "${longest}" --json | head -1; echo "\${PIPESTATUS[0]}"`],
    { cwd: place.folder, env: { ...process.env, PALIMPSEST_HOME: place.path('home') } },
  );
  expect([stdout, stderr]).toEqual(['{\n0\n', '']);
});

it.skipIf(!existsSync('/dev/full'))(
  'says in one line that its output, or a folder, cannot be made',
  async () => {
    const shell = async (script: string): Promise<string> =>
      (
        await exec('bash', ['-c', `p() { "${process.execPath}" "${command}" "$@"; }; { ${script}; echo "exit $?"; } 2>&1`], {
          cwd: place.folder,
          env: { ...process.env, PALIMPSEST_HOME: place.path('home') },
          timeout: 20_000,
        })
      ).stdout;
    const full = 'FILE_WRITE_FAILED: Writing the output failed: ENOSPC: no space left on device, write\n';
    for (const words of ['--help', 'sessions list', 'config explain --json'])
      expect(await shell(`p ${words} > /dev/full`)).toMatch(new RegExp(`^${full}.*\nexit 1\n$`, 'u'));
    expect(await shell('PALIMPSEST_HOME=/proc/none p sessions list')).toMatch(
      /^STORE_OPEN_FAILED: Cannot open the store \/proc\/none\/palimpsest\.db: ENOENT.*\n.*\nexit 1\n$/u,
    );
    expect(await shell(`p replay ${file} --dump-requests /proc/none/a`)).toMatch(/^FILE_UNWRITABLE: .*\n.*\nexit 2\n$/u);
  },
  60_000,
);

it('says what it is for and exits 0', async () => {
  const help = await place.run('--help');
  expect(help.code).toBe(0);
  for (const name of ['demo', 'replay', 'run', 'sessions', 'why', 'engines', 'config']) expect(help.stdout).toContain(name);
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  expect(await place.run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
});

it('loads little to list sessions, and nothing but its own tree to say what it can', async () => {
  const loaded = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stderr } = await exec(process.execPath, ['--import', new URL('../test/loaded.mjs', import.meta.url).href, command, ...args], {
      cwd: place.folder,
      env: { ...process.env, PALIMPSEST_HOME: place.path('home') },
    });
    return JSON.parse(stderr) as string[];
  };
  expect(await loaded('--help')).toEqual(['cli']);
  expect(await loaded('sessions', 'list')).toEqual(['better-sqlite3', 'cli']);
});

it('runs the smallest host', async () => {
  const { stdout, stderr } = await exec(process.execPath, [embed], {
    cwd: place.folder,
    env: { ...process.env, PALIMPSEST_HOME: place.path('embed') },
  });
  expect(stdout).toBe('The day is still young.\n[answered after 2 steps]\n');
  expect(stderr).toBe('');
});
