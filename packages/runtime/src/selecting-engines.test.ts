import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineDefinition } from '@palimpsest/contracts';
import { fromSelector } from '@palimpsest/plugin-kit';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const everyItem: EngineDefinition = fromSelector({
  name: 'every-item',
  version: '1.0.0',
  select: ({ items }) => items.map(({ id }) => id),
});

it('leaves the log of an engine that selects alone, however long it grows, also after it was opened again', async () => {
  const model = new FunctionModel();
  const runtime = await bench.runtime({ model, windowTokens: 16_000, plugins: [everyItem], config: { context: { engine: 'every-item' } } });
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(300, 'a')}` }));
  for (let opening = 0; opening < 3; opening += 1) {
    const session = await runtime.openSession({ id: 'long' });
    for (let turn = 0; turn < 20; turn += 1) await session.send(`Question ${String(turn)} ${prose(500, 'q')}`).result;
    await session.close();
  }
  const entries = await entriesOf(runtime, 'long');
  const kinds = new Set(kindsOf(entries));
  expect(entries.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(40_000);
  expect([kinds.has('compaction'), kinds.has('reduction')]).toEqual([false, false]);
  const judged = entries.flatMap((entry) => (entry.kind === 'step' ? [entry.judgement.mark] : []));
  expect(new Set(judged.slice(10))).toEqual(new Set(['prepare']));
}, 60_000);
