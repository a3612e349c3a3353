import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, entriesOf, kindsOf } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { importTranscript, replayTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model: new FunctionModel() });
});
afterAll(async () => { await bench.close(); });

/** A generated session in pi's format, larger than what is read ahead. */
async function piFile(name: string, turns: number, characters = 100): Promise<string> {
  const file = join(bench.folder, name);
  const message = (value: object): string => JSON.stringify({ type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: value });
  const lines = [JSON.stringify({ type: 'session', id: name, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' })];
  for (let turn = 0; turn < turns; turn += 1) {
    lines.push(message({ role: 'user', content: [{ type: 'text', text: `Question ${String(turn)}` }] }));
    lines.push(message({ role: 'assistant', content: [{ type: 'toolCall', id: `c${String(turn)}`, name: 'read', arguments: { path: 'a' } }], stopReason: 'toolUse' }));
    lines.push(message({ role: 'toolResult', toolCallId: `c${String(turn)}`, toolName: 'read', content: [{ type: 'text', text: `${String(turn)} `.repeat(characters / 2) }], isError: false }));
    lines.push(message({ role: 'assistant', content: [{ type: 'text', text: `Answer ${String(turn)}` }], stopReason: 'stop' }));
  }
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

it('keeps every message with its turn and its source line, and starts again when run again', async () => {
  const file = await piFile('one.jsonl', 3);
  const [imported] = await importTranscript(runtime, { file });
  const entries = await entriesOf(runtime, imported?.session ?? '');
  expect(imported?.entries).toBe(entries.length);
  expect(kindsOf(entries)).toEqual(['prompt', ...Array.from({ length: 3 }, () => ['user', 'assistant', 'tool', 'assistant']).flat()]);
  expect(entries.flatMap((entry) => (entry.kind === 'message' ? [entry.source?.line] : []))).toEqual(Array.from({ length: 12 }, (_, index) => index + 2));
  expect(new Set(entries.slice(5, 9).map(({ turn }) => turn))).toEqual(new Set([entries[5]?.id]));
  expect(await importTranscript(runtime, { file })).toMatchObject([{ session: imported?.session, entries: imported?.entries }]);
  expect((await runtime.store.log.session(imported?.session ?? ('' as never)))?.entries).toBe(entries.length);
});

it('can be talked to after the import, and then is not imported over', async () => {
  const file = await piFile('talk.jsonl', 2);
  const [imported] = await importTranscript(runtime, { file });
  const session = await runtime.openSession({ id: imported?.session ?? '' });
  expect(await session.send('And now?').result).toMatchObject({ ended: 'answered' });
  expect((await session.why()).body).toContain('Question 1');
  await session.close();
  await expect(importTranscript(runtime, { file })).rejects.toMatchObject({ code: 'USAGE_INVALID', kind: 'config' });
  expect(JSON.stringify(await entriesOf(runtime, imported?.session ?? ''))).toContain('And now?');
});

it('leaves nothing when the file is cut while it is read', async () => {
  const file = await piFile('cut.jsonl', 400, 8_000);
  const ids = async (): Promise<readonly string[]> => (await runtime.store.log.sessions({ limit: 100 })).map(({ id }) => id);
  const before = await ids();
  const work = importTranscript(runtime, { file });
  const outcome = work.then(() => 'imported', (error: unknown) => error);
  while ((await ids()).length === before.length && (await Promise.race([outcome, Promise.resolve('open')])) === 'open');
  await truncate(file, 1_000);
  const end = await outcome;
  if (end !== 'imported') {
    expect(end).toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
    expect(await ids()).toEqual(before);
  }
});

it('tells the earlier of two imports at once, and keeps the later one whole', async () => {
  const file = await piFile('twice.jsonl', 300, 2_000);
  const other = await bench.runtime({ store: 'store-1.db' });
  const both = await Promise.allSettled([importTranscript(runtime, { file }), importTranscript(other, { file })]);
  const whole = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  expect(whole.length).toBeGreaterThan(0);
  for (const one of both) if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'PalimpsestError', code: expect.stringMatching(/^LOG_/u) as string });
  const entries = await entriesOf(runtime, whole[0]?.session ?? '');
  expect(entries).toHaveLength(whole[0]?.entries ?? 0);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
});

it('leaves no replay behind that failed half way, and keeps the earlier one when only an option is wrong', async () => {
  const file = await piFile('replay.jsonl', 3);
  const [report] = await replayTranscript(runtime, { file, window: 16_000 });
  const entries = await entriesOf(runtime, report?.session ?? '');
  await expect(replayTranscript(runtime, { file, window: 16_000, probesFile: file })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  await expect(replayTranscript(runtime, { file, window: 16_000, dumpDir: file })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
  expect(await entriesOf(runtime, report?.session ?? '')).toEqual(entries);
  const fails = replayTranscript(runtime, { file, window: 16_000, onProgress: ({ requests }) => { if (requests === 3) throw new Error('no more'); } });
  await expect(fails).rejects.toThrow('no more');
  expect(await runtime.store.log.session(report?.session as never)).toBeNull();
  await appendFile(file, '');
  expect(await replayTranscript(runtime, { file, window: 16_000 })).toMatchObject([{ session: report?.session, totals: report?.totals === undefined ? {} : { requests: report.totals.requests } }]);
});
