import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { modelFault } from '@palimpsest/contracts';
import { loadConfig, type Config } from '@palimpsest/config';
import { scriptedReply } from '@palimpsest/models';
import { checkedScript, problemsOf, readScript } from './script.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-script-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function configured(script: string): Promise<Config> {
  await writeFile(join(folder, 'palimpsest.yaml'), `models:\n  m:\n    provider: scripted\n    script: ${script}\n`);
  return loadConfig({ projectDir: folder, userDir: folder, env: {} });
}
const faults = async (script: string): Promise<readonly string[]> =>
  (await readScript(await configured(script), 'm')).faults.map(
    ({ at, path, problem, near }) =>
      `${at?.file.replace(`${folder}/`, '') ?? '?'}:${String(at?.line)}:${String(at?.column)} ${path} | ${problem}${near === null ? '' : ` | ${near}`}`,
  );

it('gives the answers of a file and those that are written out', async () => {
  await writeFile(join(folder, 's.json'), '\ufeff[{ "text": "hello" }]');
  expect(await checkedScript(await configured('s.json'), 'm')).toEqual([{ text: 'hello' }]);
  await writeFile(join(folder, 's.json'), '{ "replies": [{ "text": "hello" }], "at_end": "loop" }');
  expect(await checkedScript(await configured('s.json'), 'm')).toEqual({ replies: [{ text: 'hello' }], at_end: 'loop' });
  expect(await checkedScript(await configured('[{ text: hello }]'), 'm')).toEqual([{ text: 'hello' }]);
});

it.each([
  [
    '[\n  { "txt": "a" },\n  { "text": 3 }\n]',
    [
      's.json:2:12 [0].txt | no such key; known here: text, tool_calls, usage, fault, delay_ms | text',
      's.json:3:13 [1].text | Invalid input: expected string, received number',
    ],
  ],
  [
    '{ "replies": [], "at_end": "stop" }',
    [
      's.json:1:14 replies | Too small: expected array to have >=1 items',
      's.json:1:28 at_end | Invalid option: expected one of "loop"|"fail"',
    ],
  ],
  ['{ "answers": [] }', ['s.json:1:1 replies | Invalid input: expected array, received undefined', 's.json:1:14 answers | no such key']],
  ['[{ "text": "a" }\n', ['s.json:2:1  | this is no JSON from here on']],
  ['', ['s.json:1:1  | this is no JSON from here on']],
  ['"hello"', ['s.json:1:1  | Invalid input: expected object, received string']],
])('points at the place in the file: %j', async (text, expected) => {
  await writeFile(join(folder, 's.json'), text);
  expect(await faults('s.json')).toEqual(expected);
  await expect(checkedScript(await configured('s.json'), 'm')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(join(folder, 's.json:')) as string,
  });
});

it('points at the place in the configuration', async () => {
  expect(await faults('[{ text: a }, { tool_calls: [{ name: "" , input: {} }] }]')).toEqual([
    'palimpsest.yaml:4:50 models.m.script[1].tool_calls[0].name | Too small: expected string to have >=1 characters',
  ]);
  expect(await faults('[hello]')).toEqual(['palimpsest.yaml:4:14 models.m.script[0] | Invalid input: expected object, received string']);
});

it('is written as the page about it says', async () => {
  const page = await readFile(new URL('../../../../docs/scripted-models.md', import.meta.url), 'utf8');
  const [example = ''] = /(?<=```json\n).*?(?=```)/su.exec(page) ?? [];
  expect(problemsOf(JSON.parse(example))).toEqual([]);
  const words = [...page.matchAll(/`(\w+)`/gu)].map(([, word]) => word);
  expect(words).toEqual(expect.arrayContaining([...Object.keys(scriptedReply.shape), ...modelFault.unwrap().shape.kind.options]));
});

it('says which file is not there', async () => {
  await expect(checkedScript(await configured('none.json'), 'm')).rejects.toMatchObject({
    code: 'CONFIG_UNREADABLE',
    details: { file: join(folder, 'none.json') },
  });
});
