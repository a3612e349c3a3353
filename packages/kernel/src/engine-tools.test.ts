import { expect, it } from 'vitest';
import type { EngineTool, Entry } from '@palimpsest/contracts';
import { KernelBench, never, TalkingModel, tool } from '../test/bench.ts';

const CALL_MS = 5_000;

const named = (name: string, run: () => unknown): EngineTool => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  run: run as EngineTool['run'],
});

const resultOf = (entries: readonly Entry[]): unknown =>
  entries.flatMap((entry) => (entry.kind === 'message' && entry.message.role === 'tool' ? [entry.message.content[0]?.output] : []))[0];

it.each<[string, () => unknown, string, string]>([
  ['never answers', () => never(), 'deadline', `no answer within ${String(CALL_MS)} ms`],
  [
    'throws',
    () => {
      throw new Error('no index');
    },
    'throws',
    'no index',
  ],
  ['rejects', () => Promise.reject(new Error('no index')), 'throws', 'no index'],
  ['answers with no text', () => Promise.resolve(7), 'answer-no-text', 'answers with no text'],
])("an engine's tool that %s is named, and the turn goes on with an error as its result", async (_what, run, rule, text) => {
  const bench = new KernelBench();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const model = new TalkingModel((_request, _options, call) => (call === 0 ? { calls: ['recall'] } : 'done'));
  const { session, kit } = await bench.open({
    model,
    engine: {
      tools: [
        named('recall', () => {
          begin();
          return run();
        }),
      ],
    },
    guard: { callMs: CALL_MS },
  });
  const failed: string[] = [];
  session.on('engine.failed', (event) => {
    failed.push(`${event.engine} ${event.method} ${event.rule}`);
  });
  const turn = session.send('Go');
  await begun;
  await bench.clock.advance(CALL_MS);
  expect(await turn.result).toMatchObject({ ended: 'answered', text: 'done' });
  expect(failed).toEqual([`test@1 tool recall ${rule}`]);
  expect(kit.engine.failures).toEqual([expect.stringContaining('tool recall: ')]);
  expect(resultOf(await bench.entries())).toMatchObject({ type: 'error-text', value: expect.stringContaining(text) as string });
});

it("an abort while an engine's tool runs is nobody's fault", async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  let told: AbortSignal | null = null;
  const tools: EngineTool[] = [
    {
      ...named('recall', () => ''),
      run: (_input, { signal }) => {
        told = signal;
        abort.abort();
        return never();
      },
    },
  ];
  const { session, kit } = await bench.open({ model: new TalkingModel(() => ({ calls: ['recall'] })), engine: { tools } });
  expect(await session.send('Go', { signal: abort.signal }).result).toMatchObject({ ended: 'aborted' });
  expect(kit.engine.failures).toEqual([]);
  expect(told).toMatchObject({ aborted: true });
});

it('a tool that a host calls in its own loop has the same deadline', async () => {
  const bench = new KernelBench();
  const { session } = await bench.open({ engine: { tools: [named('recall', () => never())] }, guard: { callMs: CALL_MS } });
  await session.send('Go').result;
  const called = session.loop.callTool('recall', {});
  const refused = expect(called).rejects.toThrow('no answer within');
  await bench.clock.advance(CALL_MS);
  await refused;
});

it("a host's own tool runs in a turn, behind its guards, and nowhere else", async () => {
  const bench = new KernelBench();
  let ran = 0;
  bench.hooks.guardTool.push({ name: 'careful', run: () => Promise.resolve({ deny: 'off limits' }) });
  const model = new TalkingModel((_request, _options, call) => (call % 2 === 0 ? { calls: ['fs_delete'] } : 'done'));
  const { session } = await bench.open({
    model,
    tools: [tool('fs.delete', () => Promise.resolve((ran += 1)))],
    engine: { tools: [named('recall', () => '')] },
  });
  for (const name of ['fs.delete', 'fs_delete'])
    await expect(session.loop.callTool(name, {})).rejects.toMatchObject({
      code: 'TOOL_UNKNOWN',
      details: { known: ['recall'] },
      hint: expect.stringContaining('yourself') as string,
    });
  await session.send('Go').result;
  expect(resultOf(await bench.entries())).toMatchObject({ value: 'denied: off limits' });
  expect(ran).toBe(0);
  bench.hooks.guardTool.length = 0;
  await session.send('Go').result;
  expect(ran).toBe(1);
});
