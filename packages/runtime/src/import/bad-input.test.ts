import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badFiles } from '@palimpsest/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, entriesOf } from '../../test/bench.ts';
import { importTranscript, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime();
});
afterAll(async () => {
  await bench.close();
});

it.each(badFiles)('refuses a file that is %s with a typed error and leaves nothing', async (name, content) => {
  const file = join(bench.folder, `bad-${name}`);
  await writeFile(file, content);
  for (const work of [() => replayTranscript(runtime, { file, window: 32_000 }), () => importTranscript(runtime, { file })]) {
    await expect(work()).rejects.toMatchObject({ name: 'PalimpsestError', code: expect.stringMatching(/^TRANSCRIPT_/u) as string });
  }
  expect(await runtime.store.log.sessions({ limit: 10 })).toEqual([]);
});

it('refuses a folder and a missing file', async () => {
  await mkdir(join(bench.folder, 'folder'), { recursive: true });
  for (const name of ['folder', 'no-such-file', 'folder/below/nothing', 'bad-empty/below-a-file']) {
    await expect(importTranscript(runtime, { file: join(bench.folder, name) })).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      kind: 'config',
    });
  }
});

it('reads what is left of a torn session, and says what it skipped', async () => {
  const file = join(bench.folder, 'torn.jsonl');
  const user = (text: string): string =>
    JSON.stringify({
      type: 'message',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: [{ type: 'text', text }] },
    });
  await writeFile(
    file,
    `${JSON.stringify({ type: 'session', id: 'x', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' })}\n${user('whole')}\nnot json at all\n${user('also whole')}\n${user('cut off').slice(0, 70)}`,
  );
  const [imported] = await importTranscript(runtime, { file });
  expect(imported?.transcript).toMatchObject({ userInput: 2, records: 3 });
  expect(imported?.transcript.skipped.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'torn'],
    [5, 'torn'],
  ]);
  expect((await entriesOf(runtime, imported?.session ?? '')).filter(({ kind }) => kind === 'message')).toHaveLength(2);
});
