import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json, Session } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

async function longSession(): Promise<{
  readonly session: Session;
  readonly entries: () => Promise<Awaited<ReturnType<typeof entriesOf>>>;
}> {
  const runtime = await bench.runtime({
    model,
    windowTokens: 16_000,
    config: { context: { engine: 'lcm', engines: { lcm: { leaf_source_tokens: 3_000, tail_tokens: 2_000 } } } },
  });
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(400, 'a')}` }));
  const session = await runtime.openSession();
  for (let turn = 0; turn < 24; turn += 1)
    await session.send(`Question ${String(turn)} about heron-${String(turn)} ${prose(300, 'q')}`).result;
  return { session, entries: () => entriesOf(runtime, session.id) };
}

it('sums up as nodes what no longer fits; search finds it, and expand shows it word for word', async () => {
  const { session, entries } = await longSession();
  const compactions = (await entries()).filter((entry) => entry.kind === 'compaction');
  expect(compactions.map((entry) => (entry.kind === 'compaction' ? entry.by : ''))).toContain('lcm@0.1.0');
  expect((await session.status()).engine.failures).toEqual([]);
  expect((await session.why()).body).not.toMatch(/about heron-2 /u);

  const found = String(await session.loop.callTool('lcm_grep', { query: 'heron-2' }));
  const node = /in node (\S+)\)/u.exec(found)?.[1] ?? '';
  expect(found).toContain('heron-2');
  let text = '';
  for (let input: Json | null = { id: node }; input !== null;) {
    const page: string = String(await session.loop.callTool('lcm_expand', input));
    text += page;
    const more: string | undefined = /\[more: lcm_expand (\{.*\})\]$/u.exec(page)?.[1];
    input = more === undefined ? null : (JSON.parse(more) as Json);
  }
  expect(text).toContain(`Question 2 about heron-2 ${prose(300, 'q')}`);
  expect(kindsOf(await entries())).toContain('compaction');
}, 60_000);

it('tells the model what is wrong with what it asks', async () => {
  const { session } = await longSession();
  expect(await session.loop.callTool('lcm_expand', { id: 'nowhere' })).toContain('no entry nowhere');
  expect(await session.loop.callTool('lcm_expand', { from: 'x' })).toContain('id');
  expect(await session.loop.callTool('lcm_grep', { query: '' })).toContain('query');
  expect(await session.loop.callTool('lcm_grep', { query: 'pelican-77' })).toContain('Nothing');
}, 60_000);
