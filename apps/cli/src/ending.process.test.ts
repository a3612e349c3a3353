import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Place, type Finished } from '../test/command.ts';

let place: Place;
beforeAll(async () => {
  place = await Place.open();
});
afterAll(async () => {
  await place.close();
});

const WHOLE = '({ branch }) => ({ segments: [{ through: branch.last, show: "entries" }], estimateTokens: 0 })';

/** One prompt to a scripted model under an engine of that text. */
async function under(name: string, text: string, ...more: readonly string[]): Promise<Finished> {
  const folder = place.path('plugins', 'context_engine', name);
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ncontract: ^1.0\nmain: index.mjs\n`);
  await writeFile(`${folder}/index.mjs`, text);
  await writeFile(
    place.path(`${name}.yaml`),
    `context: { engine: ${name} }\nmodels:\n  one: { provider: scripted, script: [{ text: hello }] }\nagent: { model: one }\n`,
  );
  expect((await place.run('engine', 'trust', name)).code).toBe(0);
  return place.run('run', 'Hi', '--session', name, '--config', `${name}.yaml`, ...more);
}

const told = (how: string): unknown =>
  expect.stringMatching(new RegExp(`^COMMAND_UNFINISHED: The command ended before it was done: ${how}\\.\\n {2}\\S.*\\n$`, 'u'));

it('an engine that ends the process does not end it well', async () => {
  const quits = await under(
    'quits',
    "export default () => ({\n  plan: () => { process.on('exit', () => { process.exitCode = 0; }); process.exit(0); },\n});",
  );
  expect(quits).toMatchObject({ code: 1, stdout: '', stderr: told('process\\.exit\\(0\\) was called in \\S+/quits/index\\.mjs:2') });
  const half = await under('half', `export default () => ({ plan: ${WHOLE}, commit: () => { process.exit(0); } });`);
  expect(half).toMatchObject({ code: 1, stdout: 'hello\n', stderr: told('process\\.exit\\(0\\) was called in \\S+/half/index\\.mjs:1') });
  const json = await under('json', 'export default () => ({ plan: () => { process.exit(7); } });', '--json');
  expect([json.code, (JSON.parse(json.stdout) as { error: { code: string } }).error.code]).toEqual([1, 'COMMAND_UNFINISHED']);
  expect(await place.run('engine', 'check', place.path('plugins', 'context_engine', 'quits'), '--group', 'shape')).toMatchObject({
    code: 1,
    stderr: told('process\\.exit.*'),
  });
}, 60_000);

it('a command that waits for what never comes says so', async () => {
  expect(await under('stuck', 'await new Promise(() => {});\nexport default 1;')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: told('it waits for an answer that nothing is left to give'),
  });
}, 60_000);

it('an error that nobody catches is one line, and no stack', async () => {
  const text = `setTimeout(() => { throw new Error('late'); }, 50);\nexport default () => ({ plan: async (ask) => { await new Promise((done) => setTimeout(done, 1000)); return (${WHOLE})(ask); } });`;
  expect(await under('throws', text)).toMatchObject({ code: 1, stderr: told('nobody caught an error of \\S+/throws/index\\.mjs:1: late') });
}, 60_000);

it.runIf(inject('soak'))(
  'what an engine leaves running neither keeps the command from its end nor changes how it ended',
  async () => {
    const text = `setInterval(() => {}, 1000);\nexport default () => ({ plan: ${WHOLE}, commit: () => { setTimeout(() => process.exit(9), 0); } });`;
    const left = await under('timer', `setInterval(() => {}, 1000);\nexport default () => ({ plan: ${WHOLE} });`);
    expect(left).toMatchObject({ code: 0, stdout: 'hello\n[timer: answered, 1 step]\n', stderr: '' });
    expect((await under('later', text)).code).not.toBe(9);
  },
  60_000,
);
