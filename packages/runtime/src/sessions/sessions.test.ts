import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { exportStored, forkSession, importTranscript, type ExportFormat, type HostRuntime } from '../index.ts';
import { entriesInOrder } from './access.ts';

let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
const tools = [
  { name: 'read', description: 'Reads a file', inputSchema: { type: 'object' }, run: () => Promise.resolve(prose(300, 'file')) },
];

/** A session with calls, a compaction, an undo, a branch that was left, and its leaf in the middle of things. */
async function lived(id: string): Promise<void> {
  const session = await runtime.openSession({ id, name: 'a lived session' });
  for (let turn = 0; turn < 6; turn += 1) {
    model.says(
      { text: 'I look.', calls: [{ name: 'read', input: { path: `f${String(turn)}` } }] },
      { text: prose(200, `answer${String(turn)}-`) },
    );
    await session.send(`Question ${String(turn)}`).result;
  }
  await session.compact({ focus: 'files' });
  const early = (await entriesOf(runtime, id)).filter((entry) => entry.kind === 'message' && entry.origin === 'model')[3];
  await session.moveTo(early?.id ?? null);
  model.says({ text: 'On another branch.' });
  await session.send('Another question').result;
  await session.compact();
  await session.undo();
  await session.close();
}

beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model, windowTokens: 16_000, tools });
  await lived('lived');
}, 90_000);
afterAll(async () => {
  await bench.close();
});

async function exported(from: HostRuntime, session: string, format: ExportFormat = 'palimpsest'): Promise<string> {
  let text = '';
  for await (const piece of exportStored(from, session, format)) text += piece;
  return text;
}
async function file(name: string, text: string): Promise<string> {
  await writeFile(join(bench.folder, name), text);
  return join(bench.folder, name);
}
const all = async (from: HostRuntime, session: string): Promise<readonly object[]> => {
  const found: object[] = [];
  for await (const entry of entriesInOrder(from.store.log, session as SessionId)) found.push(entry);
  return found;
};

it('gives the same bytes after export and import, and can be explained and talked to', async () => {
  const text = await exported(runtime, 'lived');
  const other = await bench.runtime({ model });
  const [imported] = await importTranscript(other, { file: await file('lived.jsonl', text) });
  expect(imported).toMatchObject({ session: 'lived', notes: [], transcript: { format: 'palimpsest' } });
  expect(await exported(other, 'lived')).toBe(text);
  expect(await all(other, 'lived')).toEqual(await all(runtime, 'lived'));
  const [before, after] = [await runtime.why('lived'), await other.why('lived')];
  expect(after).toEqual(before);
  expect(after.verified).toBe(true);
  const session = await other.openSession({ id: 'lived' });
  model.says({ text: 'still here' });
  expect(await session.send('And?').result).toMatchObject({ ended: 'answered' });
  await session.close();
});

it('does not write over a session, and copies it under another name', async () => {
  const text = await exported(runtime, 'lived');
  const path = await file('again.jsonl', text);
  await expect(importTranscript(runtime, { file: path })).rejects.toMatchObject({
    code: 'SESSION_EXISTS',
    kind: 'config',
    hint: expect.stringContaining('--as') as string,
  });
  const [copy] = await importTranscript(runtime, { file: path, as: 'copy' });
  expect(copy?.session).toBe('copy');
  await expect(importTranscript(runtime, { file: path, as: 'copy' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
  const [from, to] = [await all(runtime, 'lived'), await all(runtime, 'copy')];
  expect(to).toHaveLength(from.length);
  const ids = new Set(from.map((entry) => (entry as { id: string }).id));
  for (const id of ids) expect(JSON.stringify(to)).not.toContain(`"${id}"`);
  expect(await runtime.why('copy')).toMatchObject({ verified: true, body: (await runtime.why('lived')).body });
  expect(await exported(runtime, 'lived')).toBe(text);
});

it('leaves nothing of an export that is broken in its middle, and reads one that is torn', async () => {
  const lines = (await exported(runtime, 'lived')).split('\n');
  const broken = [...lines.slice(0, 9), '{"kind":"message"}', ...lines.slice(9)].join('\n');
  await expect(importTranscript(runtime, { file: await file('broken.jsonl', broken), as: 'broken' })).rejects.toMatchObject({
    code: 'TRANSCRIPT_LINE_INVALID',
  });
  expect(await runtime.store.log.session('broken' as SessionId)).toBeNull();
  const torn = lines.slice(0, -3).join('\n').slice(0, -20);
  const [read] = await importTranscript(runtime, { file: await file('torn.jsonl', torn), as: 'torn' });
  expect(read?.notes).toEqual(expect.arrayContaining(['torn', 'ended-early']));
});

it('forks a path: the same request, other names, and both live on by themselves', async () => {
  const steps = (await entriesOf(runtime, 'lived')).filter(({ kind }) => kind === 'step');
  const fork = await forkSession(runtime, { session: 'lived', as: 'fork' });
  expect(fork).toMatchObject({ session: 'fork', parent: { session: 'lived' } });
  const [original, copied] = [await runtime.why('lived'), await runtime.why('fork')];
  expect(copied).toMatchObject({ verified: true, body: original.body, index: steps.length });
  expect(copied.step).not.toBe(original.step);
  const before = await exported(runtime, 'lived');
  const session = await runtime.openSession({ id: 'fork' });
  model.says({ text: 'a fork speaks' });
  await session.send('Only in the fork').result;
  await session.close();
  expect(await exported(runtime, 'lived')).toBe(before);
  expect(await exported(runtime, 'fork', 'markdown')).toContain('a fork speaks');
  expect((await exported(runtime, 'fork')).split('\n')[0]).toContain('"parent":{"session":"lived"');
});

it('forks before an entry of choice, and says what cannot be forked', async () => {
  const entries = await entriesOf(runtime, 'lived');
  const at = entries[3];
  const fork = await forkSession(runtime, { session: 'lived', entry: at?.id ?? '' });
  expect(fork.entries).toBe(4);
  expect((await entriesOf(runtime, fork.session)).map(({ kind, time }) => [kind, time])).toEqual(
    entries.slice(0, 4).map(({ kind, time }) => [kind, time]),
  );
  await expect(forkSession(runtime, { session: 'lived', entry: 'no-such' })).rejects.toMatchObject({ code: 'LOG_ENTRY_UNKNOWN' });
  await expect(forkSession(runtime, { session: 'nobody' })).rejects.toMatchObject({ code: 'LOG_SESSION_UNKNOWN' });
  await expect(forkSession(runtime, { session: 'lived', as: 'lived' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
});

it('keeps what a fork shows when the session it came from is gone', async () => {
  await importTranscript(runtime, { file: await file('gone.jsonl', await exported(runtime, 'lived')), as: 'gone' });
  await forkSession(runtime, { session: 'gone', as: 'heir' });
  const { body } = await runtime.why('gone');
  await runtime.store.log.drop('gone' as SessionId, null);
  expect(await runtime.why('heir')).toMatchObject({ verified: true, body });
});

it.each<ExportFormat>(['openai-chat', 'anthropic', 'ai-sdk'])('exports the path as %s, which is read again', async (format) => {
  const path = await file(`${format}.json`, await exported(runtime, 'lived', format));
  const [again] = await importTranscript(runtime, { file: path });
  const users = (await entriesOf(runtime, 'lived')).filter(
    (entry) => entry.kind === 'message' && entry.origin === 'user_input' && entry.hidden !== true,
  ).length;
  expect(again?.transcript).toMatchObject({ format, userInput: users, callsWithoutResult: 0 });
  expect(await readFile(path, 'utf8')).not.toContain('You are a careful assistant');
});
