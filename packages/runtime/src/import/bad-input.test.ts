import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, entriesOf } from '../../test/bench.ts';
import { importTranscript, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime();
});
afterAll(async () => { await bench.close(); });

/** Bytes that look random and are the same in every run. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, state = 0x2545f491; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const bad: readonly (readonly [name: string, content: string | Buffer])[] = [
  ['empty', ''], ['blank', ' \n\n\t\n'], ['zeros', Buffer.alloc(4_096)], ['random', noise(10_000)], ['random-line', noise(100_000).toString('base64')], ['numbers', '[1, 2, 3]'], ['number', '7'], ['text', 'hello\nworld\n'],
  ['torn-bytes', noise(10_001).subarray(1)], ['object', '{}'], ['null', 'null'], ['strange-lines', '{"a":1}\n{"b":2}\n'], ['torn', '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","con'], ['torn-list', '[{"role":"user","content":"hi"},{"ro'],
  ['deep', '['.repeat(200_000)], ['deep-object', '{"a":'.repeat(100_000)], ['half-a-gzip', Buffer.from('1f8b0800000000000003ab', 'hex')], ['utf16', Buffer.from('\ufeff{"type":"session"}\n', 'utf16le')],
  ['sqlite', Buffer.from('SQLite format 3\u0000rest')], ['empty-messages', '{"messages":[]}'], ['empty-list', '[]'], ['prototype', '{"__proto__":{"messages":[]}}'],
];

it.each(bad)('refuses a file that is %s with a typed error and leaves nothing', async (name, content) => {
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
    await expect(importTranscript(runtime, { file: join(bench.folder, name) })).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE', kind: 'config' });
  }
});

it('reads what is left of a torn session, and says what it skipped', async () => {
  const file = join(bench.folder, 'torn.jsonl');
  const user = (text: string): string => JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content: [{ type: 'text', text }] } });
  await writeFile(file, `${JSON.stringify({ type: 'session', id: 'x', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' })}\n${user('whole')}\nnot json at all\n${user('also whole')}\n${user('cut off').slice(0, 70)}`);
  const [imported] = await importTranscript(runtime, { file });
  expect(imported?.transcript).toMatchObject({ userInput: 2, records: 3 });
  expect(imported?.transcript.skipped.map(({ line, reason }) => [line, reason])).toEqual([[3, 'torn'], [5, 'torn']]);
  expect((await entriesOf(runtime, imported?.session ?? '')).filter(({ kind }) => kind === 'message')).toHaveLength(2);
});
