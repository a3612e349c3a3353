import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place, type Finished } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

let place: Place;
let file = '';
let session = '';
beforeAll(async () => {
  place = await Place.open();
  file = place.path('pi.jsonl');
  await writePiFile(file, { turns: 6 });
  const [replayed] = [await place.json<{ session: string }>('replay', file, '--window', '16000')];
  session = replayed.session;
}, 60_000);
afterAll(async () => {
  await place.close();
});
const json = <T>({ code, stdout, stderr }: Finished): T => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
};

it('exports, imports under another name, forks, draws and finds a session', async () => {
  const out = place.path('out.jsonl');
  expect(json<{ bytes: number }>(await place.run('sessions', 'export', session, '-o', out, '--json')).bytes).toBe(
    (await readFile(out)).length,
  );
  expect((await place.run('sessions', 'export', session)).stdout).toBe(await readFile(out, 'utf8'));
  const refused = await place.run('sessions', 'import', out);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--as ID')]);
  expect(json(await place.run('sessions', 'import', out, '--as', 'copy', '--json'))).toMatchObject([{ session: 'copy', notes: [] }]);
  expect(json(await place.run('sessions', 'fork', 'copy', '--as', 'fork', '--json'))).toMatchObject({
    session: 'fork',
    parent: { session: 'copy' },
  });
  expect((await place.run('why', 'fork')).stdout).toContain('hashes to what the step recorded');
  expect((await place.run('sessions', 'tree', 'fork')).stdout).toMatch(
    /^fork: \d+ entries, 1 branch, leaf \S+\nforked from copy at \S+\n\* 1: .*LEAF\)\n {4}user_input: Question 0/u,
  );
  const hits = json<{ session: string; snippet: string }[]>(
    await place.run('sessions', 'search', 'file', '28', '--session', 'fork', '--json'),
  );
  expect(hits[0]).toMatchObject({ session: 'fork', snippet: expect.stringContaining('file 28') as string });
  expect(await place.run('sessions', 'search', '--limit', '1', '…')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no word') as string,
  });
}, 120_000);

it('shows what fills the window, and compares engines on one file', async () => {
  const report = json<{ parts: { tokens: number }[]; tokens: number }>(await place.run('context', session, '--json'));
  expect(report.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.tokens);
  const bars = await place.run('context', session);
  expect(bars.stdout).toMatch(/^tool results #+\.* +[\d,]+ +\d+\.\d %$/mu);
  const compared = json<{ engine: string; isSound: boolean; totals: { requests: number } }[]>(
    await place.run('compare', file, '--engines', 'compressor,sliding', '--window', '8000', '--json'),
  );
  expect(compared).toMatchObject([
    { engine: 'compressor', isSound: true, totals: { requests: 12 } },
    { engine: 'sliding', isSound: true, totals: { requests: 12 } },
  ]);
  expect(await place.run('compare', file, '--engines', ',')).toMatchObject({ code: 2 });
}, 120_000);

it('sets up a project once, and says what is missing', async () => {
  expect(await place.run('init')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
  expect((await place.run('init', '--yes')).code).toBe(0);
  expect(JSON.parse(await readFile(place.path('palimpsest.schema.json'), 'utf8'))).toHaveProperty('properties.models');
  const before = await readFile(place.path('palimpsest.yaml'), 'utf8');
  expect(await place.run('init', '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') as string });
  expect(await readFile(place.path('palimpsest.yaml'), 'utf8')).toBe(before);
  expect(json(await place.run('models', '--threshold', '0.9', '--json'))).toMatchObject([
    { name: 'main', isChosen: true, marks: { start: 171_000 } },
  ]);
  const doctor = await place.run('doctor', '--config', 'palimpsest.yaml', '--json');
  const checks = JSON.parse(doctor.stdout) as { status: string; fix: string | null }[];
  expect(checks.filter(({ status }) => status !== 'pass').every(({ fix }) => fix !== null)).toBe(true);
  expect(doctor.code).toBe(checks.some(({ status }) => status === 'fail') ? 1 : 0);
  await writeFile(place.path('bad.yaml'), 'modles: {}\n');
  expect(await place.run('doctor', '--config', 'bad.yaml')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/FAIL {2}configuration: .*bad\.yaml:1:1/u) as string,
  });
}, 120_000);

it('starts from the settings of another program', async () => {
  const other = await Place.open();
  try {
    await writeFile(
      other.path('config.yaml'),
      'model: {default: m, provider: anthropic, api_key: sk-1}\nagent: {max_turns: 7}\ndisplay: {theme: dark}\n',
    );
    expect(await other.run('init', 'config.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('--from') as string });
    const made = await other.run('init', '--from', 'hermes', 'config.yaml');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('  agent.max_turns → agent.max_steps: 7\n');
    expect(made.stdout).toContain('  display: there is no such setting here\n');
    expect(made.stdout).not.toContain('sk-1');
    const text = await readFile(other.path('palimpsest.yaml'), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/palimpsest\.schema\.json\n/u);
    expect(await other.json<object[]>('config', 'explain', 'agent')).toMatchObject([
      { path: 'agent.model', value: 'main' },
      { path: 'agent.max_steps', value: 7 },
    ]);
    expect(await other.run('init', '--from', 'pi', 'config.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists already') as string,
    });
  } finally {
    await other.close();
  }
}, 60_000);

it('completes in bash', async () => {
  await writeFile(place.path('completion.bash'), (await place.run('completion', 'bash')).stdout);
  const complete = (...words: string[]): string =>
    execFileSync(
      'bash',
      [
        '-c',
        'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palimpsest; echo "${COMPREPLY[*]}"',
        place.path('completion.bash'),
        'palimpsest',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim();
  expect(complete('sess')).toBe('sessions');
  expect(complete('sessions', 'e')).toBe('export');
  expect(complete('sessions', 'export', '--o')).toBe('--output');
  expect(complete('replay', 'file', '--win')).toBe('--window');
}, 60_000);
