import { truncate } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, entriesOf, kindsOf } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { piFile } from '../../test/pi-file.ts';
import { importTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model: new FunctionModel() });
});
afterAll(async () => {
  await bench.close();
});

it('keeps every message with its turn and its source line, and starts again when run again', async () => {
  const file = await piFile(bench.folder, 'one.jsonl', 3);
  const [imported] = await importTranscript(runtime, { file });
  const entries = await entriesOf(runtime, imported?.session ?? '');
  expect(imported?.entries).toBe(entries.length);
  expect(kindsOf(entries)).toEqual(['prompt', ...Array.from({ length: 3 }, () => ['user', 'assistant', 'tool', 'assistant']).flat()]);
  expect(entries.flatMap((entry) => (entry.kind === 'message' ? [entry.source?.line] : []))).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 2),
  );
  expect(new Set(entries.slice(5, 9).map(({ turn }) => turn))).toEqual(new Set([entries[5]?.id]));
  expect(await importTranscript(runtime, { file })).toMatchObject([{ session: imported?.session, entries: imported?.entries }]);
  expect((await runtime.store.log.session(imported?.session ?? ('' as never)))?.entries).toBe(entries.length);
});

it('can be talked to after the import, and then is not imported over', async () => {
  const file = await piFile(bench.folder, 'talk.jsonl', 2);
  const [imported] = await importTranscript(runtime, { file });
  const session = await runtime.openSession({ id: imported?.session ?? '' });
  expect(await session.send('And now?').result).toMatchObject({ ended: 'answered' });
  expect((await session.why()).body).toContain('Question 1');
  await session.close();
  await expect(importTranscript(runtime, { file })).rejects.toMatchObject({ code: 'USAGE_INVALID', kind: 'config' });
  expect(JSON.stringify(await entriesOf(runtime, imported?.session ?? ''))).toContain('And now?');
});

it('leaves nothing when the file is cut while it is read', async () => {
  const file = await piFile(bench.folder, 'cut.jsonl', 400, 8_000);
  const ids = async (): Promise<readonly string[]> => (await runtime.store.log.sessions({ limit: 100 })).map(({ id }) => id);
  const before = await ids();
  const work = importTranscript(runtime, { file });
  const outcome = work.then(
    () => 'imported',
    (error: unknown) => error,
  );
  while ((await ids()).length === before.length && (await Promise.race([outcome, Promise.resolve('open')])) === 'open');
  await truncate(file, 1_000);
  const end = await outcome;
  if (end !== 'imported') {
    expect(end).toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
    expect(await ids()).toEqual(before);
  }
});

it('tells the later of two imports at once, and keeps the earlier one whole', async () => {
  const file = await piFile(bench.folder, 'twice.jsonl', 300, 2_000);
  const other = await bench.runtime({ store: 'store-1.db' });
  const both = await Promise.allSettled([importTranscript(runtime, { file }), importTranscript(other, { file })]);
  const whole = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  expect(whole.length).toBeGreaterThan(0);
  for (const one of both)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'PalimpsestError', code: 'SESSION_BUSY' });
  const entries = await entriesOf(runtime, whole[0]?.session ?? '');
  expect(entries).toHaveLength(whole[0]?.entries ?? 0);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
});
