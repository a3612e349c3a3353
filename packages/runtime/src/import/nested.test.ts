import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEEPEST, type Json, type SessionId } from '@palimpsest/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { exportStored, importTranscript, type HostRuntime } from '../index.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

async function exported(runtime: HostRuntime, id: SessionId): Promise<string> {
  let text = '';
  for await (const piece of exportStored(runtime, id, 'palimpsest')) text += piece;
  return text;
}

it('whatever a model may say can be exported, imported and exported again', async () => {
  const model = new FunctionModel();
  const runtime = await bench.runtime({ model });
  const session = await runtime.openSession();
  const input = JSON.parse('['.repeat(DEEPEST) + ']'.repeat(DEEPEST)) as Json;
  model.says({ calls: [{ name: 'none', input }] }, { text: 'Done.' });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: 'Done.' });
  await session.close();
  const first = await exported(runtime, session.id);
  expect(first).toContain('['.repeat(DEEPEST));
  const file = join(bench.folder, 'nested.jsonl');
  await writeFile(file, first);
  const elsewhere = await bench.runtime({ model, store: 'elsewhere.db' });
  await importTranscript(elsewhere, { file });
  expect(await exported(elsewhere, session.id)).toBe(first);
});
