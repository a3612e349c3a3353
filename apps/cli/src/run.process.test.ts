import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Place, type Finished } from '../test/command.ts';
import { StreamingServer } from '../test/streaming-server.ts';

let place: Place;
let server: StreamingServer;
beforeAll(async () => {
  [place, server] = await Promise.all([Place.open(), StreamingServer.open()]);
  await writeFile(
    place.path('live.yaml'),
    `models:\n  m: { provider: openai-compatible, model: m, base_url: "${server.baseUrl}", api_key: k, window_tokens: 32000 }\n`,
  );
});
afterAll(async () => {
  await Promise.all([place.close(), server.close()]);
});

it('sends nothing, and writes nothing, where the prompt is empty', async () => {
  const fresh = await Place.open();
  try {
    for (const prompt of ['', ' ', '\t\u00a0\u200b\n']) {
      expect(await fresh.run('run', prompt)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^USAGE_INVALID: The prompt is empty.*\n {2}\S.*\n$/u) as string,
      });
    }
    expect(existsSync(fresh.path('home'))).toBe(false);
  } finally {
    await fresh.close();
  }
}, 30_000);

/** Sends the signal as soon as something was said. */
async function stopped(signal: NodeJS.Signals, ...more: readonly string[]): Promise<Finished> {
  server.ending = 'hangs';
  const { child, finished } = place.start('run', 'Hi', '--session', 'live', '--config', 'live.yaml', ...more);
  child.stdout?.once('data', () => child.kill(signal));
  return finished;
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'on %s prints what was said, says how it ended, and leaves the session free',
  async (signal, code) => {
    expect(await stopped(signal)).toMatchObject({ code, signal: null, stdout: 'Hello wor\n[live: aborted, 0 steps]\n', stderr: '' });
    server.ending = 'done';
    expect(await place.run('run', 'Again', '--session', 'live', '--config', 'live.yaml')).toMatchObject({
      code: 0,
      stdout: 'Hello wor\n[live: answered, 1 step]\n',
      stderr: '',
    });
  },
  60_000,
);

it('gives the lease of a process that was killed to the next one', async () => {
  expect(await stopped('SIGKILL')).toMatchObject({ code: null, signal: 'SIGKILL' });
  server.ending = 'done';
  expect(await place.run('run', 'Again', '--session', 'live', '--config', 'live.yaml')).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

it('prints what came of a stream that was cut, ends its line, and then says what happened', async () => {
  server.ending = 'cut';
  const { code, stdout, stderr } = await place.run('run', 'Hi', '--config', 'live.yaml');
  expect([code, stdout]).toEqual([1, 'Hello wor\n']);
  expect(stderr).toMatch(/^MODEL_FAILED: .*\(network\)\n/u);
}, 60_000);

it('ends the line of every answer, shows control characters by their number, and counts a turn that went on by itself whole', async () => {
  const script = [
    { text: 'First.', tool_calls: [{ name: 'none', input: {} }] },
    { text: '\u001b]0;title\u0007two\u001b[31m\r\n\tlines\n', tool_calls: [{ name: 'none', input: {} }] },
    { text: 'Last.', usage: { input: 1, output: 2, cache_read: 3, cache_write: 4, reasoning: 5 } },
  ];
  await writeFile(place.path('script.yaml'), JSON.stringify({ models: { m: { provider: 'scripted', script } }, agent: { max_steps: 2 } }));
  expect(await place.run('run', 'Hi', '--session', 'told', '--config', 'script.yaml')).toMatchObject({
    code: 0,
    stdout: 'First.\n\\u001b]0;title\\u0007two\\u001b[31m\n\tlines\nLast.\n[told: answered, 3 steps]\n',
  });
  expect(await place.json('run', 'Hi', '--session', 'json', '--config', 'script.yaml')).toMatchObject({
    session: 'json',
    ended: 'answered',
    text: 'Last.',
    steps: 3,
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 },
  });
}, 60_000);

it.runIf(inject('soak'))(
  'exits with 2 for a session, an entry or a step that does not exist',
  async () => {
    server.ending = 'done';
    expect((await place.run('run', 'Hi', '--session', 'w', '--config', 'live.yaml')).code).toBe(0);
    for (const [code, ...words] of [
      ['LOG_SESSION_UNKNOWN', 'why', 'nosuch'],
      ['LOG_SESSION_UNKNOWN', 'context', 'nosuch', '--config', 'live.yaml'],
      ['LOG_SESSION_UNKNOWN', 'sessions', 'show', 'nosuch'],
      ['LOG_SESSION_UNKNOWN', 'sessions', 'export', 'nosuch'],
      ['LOG_ENTRY_UNKNOWN', 'sessions', 'fork', 'w', 'nosuch'],
      ['WHY_NO_STEP', 'why', 'w', '99'],
      ['WHY_NO_STEP', 'why', 'w', 'nosuch'],
      ['USAGE_INVALID', 'why', 'w', '0'],
    ] as const)
      expect([words, await place.run(...words)]).toMatchObject([
        words,
        { code: 2, stdout: '', stderr: expect.stringMatching(new RegExp(`^${code}: .*\n {2}\\S.*\n$`, 'u')) as string },
      ]);
  },
  60_000,
);
