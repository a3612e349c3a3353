import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '../test/command.ts';

const command = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const LONG = `${'long words '.repeat(60)}END`;
const HOSTILE = 'a\u001b[31mred\u001b]0;title\u0007 \u202eright to left\u202c \u009b2J\r\n漢字 END';
let place: Place;
beforeAll(async () => {
  place = await Place.open();
  await writeFile(
    place.path('palimpsest.yaml'),
    JSON.stringify({ models: { m: { provider: 'scripted', script: [{ text: HOSTILE }] } }, agent: { model: 'm' } }),
  );
  await place.run('run', `${LONG} \u001b[2J\u2066`, '--session', 'work');
  await place.run('run', 'Hi', '--session', 'bidi\u202eid');
}, 60_000);
afterAll(async () => {
  await place.close();
});

/** Anything that a terminal would do something about. */
const OBEYED = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

it('gives whole texts in a pipe', async () => {
  const { stdout } = await place.run('sessions', 'show', 'work');
  expect(stdout).toContain(LONG);
  expect(stdout).toMatch(/^ +4 .*漢字 END$/mu);
  expect((await place.json<{ entries: { preview: string }[] }>('sessions', 'show', 'work')).entries[1]?.preview).toMatch(
    /^user_input: .*…$/u,
  );
}, 30_000);

it('shows by their number what a terminal would obey: in answers, texts, ids and JSON', async () => {
  const said = await place.run('run', 'Hi', '--session', 'work');
  expect(said.stdout).toContain('a\\u001b[31mred\\u001b]0;title\\u0007 \\u202eright to left\\u202c \\u009b2J\n漢字 END\n');
  for (const args of [
    ['list'],
    ['show', 'work'],
    ['tree', 'work'],
    ['search', 'red'],
    ['list', '--json'],
    ['show', 'work', '--json'],
    ['search', 'red', '--json'],
    ['show', 'bidi\u202eid'],
  ]) {
    const { code, stdout, stderr } = await place.run('sessions', ...args);
    expect([args, code, stderr]).toEqual([args, 0, '']);
    expect([args, OBEYED.exec(stdout)]).toEqual([args, null]);
  }
  const [why, raw, unknown] = [
    await place.run('why', 'work'),
    await place.run('why', 'work', '--request'),
    await place.run('sessions', 'show', 'no\u202ebody'),
  ];
  expect([OBEYED.exec(why.stdout), OBEYED.exec(unknown.stderr)]).toEqual([null, null]);
  expect((await place.run('sessions', 'list')).stdout).toContain('bidi\\u202eid');
  expect(unknown.stderr).toContain('no\\u202ebody');
  expect(JSON.parse(raw.stdout)).toHaveProperty('messages');
  expect((await place.run('sessions', 'export', 'work', '--format', 'markdown')).stdout).toContain(HOSTILE);
}, 60_000);

const canBeTerminal = spawnSync('script', ['--version']).status === 0;
it.skipIf(!canBeTerminal)(
  'takes 80 columns where a terminal says none, and what COLUMNS says',
  () => {
    const widest = (columns: string | undefined): number => {
      const env = { ...process.env, PALIMPSEST_HOME: place.path('home'), NO_COLOR: '1', TERM: 'xterm', COLUMNS: columns };
      const shown = execFileSync('script', ['-qec', `"${process.execPath}" "${command}" sessions show work`, '/dev/null'], {
        cwd: place.folder,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      expect(shown.replaceAll('\r\n', '\n')).not.toMatch(OBEYED);
      return Math.max(...shown.split(/\r?\n/u).map((line) => line.length));
    };
    expect([undefined, '0', '60', '100'].map(widest)).toEqual([80, 80, 60, 100]);
  },
  60_000,
);
