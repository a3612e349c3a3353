import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '../test/command.ts';
import { writePiFile } from '../test/pi-file.ts';

let place: Place;
beforeAll(async () => { place = await Place.open(); });
afterAll(async () => { await place.close(); });

it('asks for a key when a model is called, and for nothing else', async () => {
  await writeFile(place.path('key.yaml'), 'models:\n  main: { provider: anthropic, model: m, api_key: "${env:NO_SUCH_KEY}" }\n');
  await writePiFile(place.path('pi.jsonl'), { turns: 1 });
  const said = `${place.path('key.yaml')}:2:51: models.main.api_key: the environment variable NO_SUCH_KEY is not set`;
  for (const args of [['sessions', 'list'], ['replay', place.path('pi.jsonl')], ['models'], ['config', 'explain']]) {
    expect([args, (await place.run(...args, '--config', 'key.yaml')).code]).toEqual([args, 0]);
  }
  expect(await place.run('run', 'Hi', '--config', 'key.yaml')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`CONFIG_INVALID: ${said}\n`) as string });
  expect(await place.run('config', 'check', 'key.yaml')).toMatchObject({ code: 2, stdout: `${said}\n`, stderr: '' });
  expect(await place.run('doctor', '--config', 'key.yaml')).toMatchObject({ code: 1, stdout: expect.stringContaining('NO_SUCH_KEY is not set') as string });
}, 60_000);
