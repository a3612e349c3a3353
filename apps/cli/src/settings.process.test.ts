import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(async () => {
  await place.close();
});

it('finds everything that a configuration names and that is not there, each with its place', async () => {
  const text = [
    'agent: { model: mian }',
    'context:',
    '  engine: stranger',
    '  engines: { other: { depth: 3 } }',
    'models:',
    '  main: { provider: scripted, script: answers.json }',
    '  fake: { provider: scripted, script: none.json }',
    '  key: { provider: openai, model: m, api_key: "${env:NO_SUCH_KEY}" }',
    'plugins: [no-such-package]',
    'store: { path: text.db/inside.db }',
    '',
  ];
  await writeFile(place.path('bad.yaml'), text.join('\n'));
  await writeFile(place.path('answers.json'), '[{ "txt": "a" }]');
  await writeFile(place.path('text.db'), 'text');
  const checked = await place.run('config', 'check', 'bad.yaml');
  expect(checked).toMatchObject({ code: 2, stderr: '' });
  const lines = checked.stdout.replaceAll(`${place.folder}/`, '').trimEnd().split('\n');
  expect(lines.map((line) => line.split(': ', 2).join(': '))).toEqual([
    'bad.yaml:1:17: agent.model',
    'bad.yaml:3:11: context.engine',
    'bad.yaml:4:21: context.engines.other',
    'bad.yaml:7:39: models.fake.script',
    'bad.yaml:8:47: models.key.api_key',
    'bad.yaml:9:11: plugins[0]',
    'answers.json:1:11: [0].txt',
  ]);
  expect(lines[0]).toBe('bad.yaml:1:17: agent.model: no such model; known under models: main, fake, key; did you mean "main"?');
  const seen = JSON.parse((await place.run('doctor', '--config', 'bad.yaml', '--json')).stdout) as {
    what: string;
    status: string;
    found: string;
  }[];
  const bad = seen.filter(({ status }) => status !== 'pass').map(({ what, status }) => `${what} ${status}`);
  expect(bad).toEqual([
    'store fail',
    'plugin fail',
    'engine warn',
    'engine fail',
    'models fail',
    'model key fail',
    'model key warn',
    'model main fail',
    'model fake fail',
  ]);
  for (const { found } of seen) expect(found).not.toContain('\n');
}, 60_000);

it('explains a key, and exits with 2 where there is none', async () => {
  expect(await place.run('config', 'explain', 'agent.max_steps')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^key +value +from +place\nagent\.max_steps +50 +default\n$/u) as string,
  });
  expect(await place.run('config', 'explain', 'budget.marks.low')).toMatchObject({ code: 0, stdout: 'budget.marks.low: not set\n' });
  expect(await place.run('config', 'explain', 'agent.max_stps')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'USAGE_INVALID: There is no key "agent.max_stps".\n  Did you mean "agent.max_steps"?\n',
  });
}, 30_000);

it('fails where nothing fits', async () => {
  await writePiFile(place.path('large.jsonl'), { turns: 1, resultCharacters: 100 });
  expect(await place.run('replay', place.path('large.jsonl'), '--window', '20')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing fitted') as string,
  });
  expect(await place.run('compare', place.path('large.jsonl'), '--window', '20', '--engines', 'compressor')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing fitted') as string,
  });
}, 30_000);

it('asks for a key when a model is called, and for nothing else', async () => {
  await writeFile(place.path('key.yaml'), 'models:\n  main: { provider: anthropic, model: m, api_key: "${env:NO_SUCH_KEY}" }\n');
  await writePiFile(place.path('pi.jsonl'), { turns: 1 });
  const said = `${place.path('key.yaml')}:2:51: models.main.api_key: the environment variable NO_SUCH_KEY is not set`;
  for (const args of [['sessions', 'list'], ['replay', place.path('pi.jsonl')], ['models'], ['config', 'explain']]) {
    expect([args, (await place.run(...args, '--config', 'key.yaml')).code]).toEqual([args, 0]);
  }
  expect(await place.run('run', 'Hi', '--config', 'key.yaml')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `CONFIG_INVALID: ${said}\n  Set it first: export NO_SUCH_KEY=…\n`,
  });
  expect(await place.run('config', 'check', 'key.yaml')).toMatchObject({ code: 2, stdout: `${said}\n`, stderr: '' });
  expect(await place.run('doctor', '--config', 'key.yaml')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^FAIL {2}model main: .*NO_SUCH_KEY is not set\n {6}Set it first: export NO_SUCH_KEY=…$/mu) as string,
  });
}, 60_000);

it('names the variable of a key that is empty, and never says what a key is', async () => {
  await writeFile(
    place.path('keys.yaml'),
    'models:\n  main: { provider: openai-compatible, model: m, base_url: "http://127.0.0.1:9/v1", api_key: "${env:PALIMPSEST_TEST_EMPTY}" }\n  other: { provider: openai, model: m, api_key: "${env:PALIMPSEST_TEST_SECRET}" }\nagent: { model: main }\n',
  );
  Object.assign(process.env, { PALIMPSEST_TEST_EMPTY: '', PALIMPSEST_TEST_SECRET: 'sk-never-shown' });
  try {
    const ran = await place.run('run', 'Hi', '--config', 'keys.yaml');
    expect(ran).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/PALIMPSEST_TEST_EMPTY is empty\n {2}Set it first: export PALIMPSEST_TEST_EMPTY=…\n$/u) as string,
    });
    for (const args of [
      ['doctor'],
      ['doctor', '--json'],
      ['config', 'explain'],
      ['config', 'explain', '--json'],
      ['models', '--json'],
      ['run', 'Hi', '--json'],
    ]) {
      const { stdout, stderr } = await place.run(...args, '--config', 'keys.yaml');
      expect([args, (stdout + stderr).includes('sk-never-shown')]).toEqual([args, false]);
    }
  } finally {
    delete process.env['PALIMPSEST_TEST_EMPTY'];
    delete process.env['PALIMPSEST_TEST_SECRET'];
  }
}, 60_000);

it('has a next step for every warning and every failure', async () => {
  await writeFile(
    place.path('many.yaml'),
    'models:\n  a: { provider: anthropic, model: m }\n  b: { provider: openai, model: m, api_key: "${env:NO_SUCH_KEY}" }\ncontext: { engine: nobody }\nplugins: [nobody]\n',
  );
  await writeFile(place.path('broken.yaml'), 'context: [');
  for (const [file, least] of [
    ['many.yaml', 7],
    ['broken.yaml', 1],
    ['none.yaml', 1],
    ['bad.yaml', 9],
  ] as const) {
    const { stdout } = await place.run('doctor', '--config', file);
    const lines = stdout.trimEnd().split('\n');
    const troubles = lines.flatMap((line, index) => (/^(?:WARN|FAIL) /u.test(line) ? [[line, lines[index + 1]]] : []));
    expect(troubles.length).toBeGreaterThanOrEqual(least);
    for (const [line, next] of troubles) expect([line, next]).toEqual([line, expect.stringMatching(/^ {6}\S/u)]);
  }
}, 60_000);
