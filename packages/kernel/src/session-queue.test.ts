import { expect, it } from 'vitest';
import type { AssistantMessage, StepId } from '@palimpsest/contracts';
import { KernelBench, TalkingModel, tool, type Opened } from '../test/bench.ts';

const saying = (text: string): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });

async function prepared({ session }: Opened): Promise<StepId> {
  const step = await session.loop.prepare();
  if ('refused' in step) throw new Error(step.refused);
  return step.stepId;
}

it("lets a host's own loop and turns share a session: each waits for the other", async () => {
  const bench = new KernelBench();
  const opened = await bench.open();
  const { session } = opened;
  const [sent, , prepares] = await Promise.all([
    session.send('A').result,
    session.loop.submit('B'),
    Promise.all([session.loop.prepare(), session.loop.prepare()]),
    session.send('C').result,
    session.status(),
  ]);
  expect(sent).toMatchObject({ ended: 'answered' });
  expect(prepares.map((step) => 'stepId' in step && step.stepId)).toEqual(['step-1', 'step-2']);
  const last = await prepared(opened);
  const [recorded, after] = await Promise.all([session.loop.record(last, { reply: saying('B!') }), session.send('D').result]);
  expect(recorded).toEqual({ next: 'done', ended: 'answered' });
  expect(after).toMatchObject({ ended: 'answered' });
  await session.close();
  expect(bench.clock.waiting).toBe(0);
});

it('writes results that are recorded at once one after the other', async () => {
  const bench = new KernelBench();
  const opened = await bench.open();
  const { loop } = opened.session;
  await loop.submit('Go');
  const step = await prepared(opened);
  await loop.record(step, {
    reply: {
      role: 'assistant',
      content: ['a', 'b', 'c'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: {} })),
    },
  });
  await Promise.all(['a', 'b', 'c'].map((call) => loop.recordToolResult(step, call, call)));
  expect(
    (await bench.entries()).flatMap((entry) =>
      entry.kind === 'message' && entry.message.role === 'tool' ? [entry.message.content[0]?.toolCallId] : [],
    ),
  ).toEqual(['a', 'b', 'c']);
  expect(bench.clock.waiting).toBe(0);
});

it('refuses every call of the loop once the session is closed', async () => {
  const { session } = await new KernelBench().open();
  await session.close();
  const { loop } = session;
  for (const call of [
    loop.submit('x'),
    loop.prepare(),
    loop.record('s' as StepId, { reply: saying('x') }),
    loop.recordToolResult('s' as StepId, 'c', 'x'),
    loop.callTool('t', {}),
  ])
    await expect(call).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
});

it('lets a tool of a running turn call a tool of the engine', async () => {
  const opened: Opened = await new KernelBench().open({
    model: new TalkingModel((_request, _options, call) => (call === 0 ? { calls: ['outer'] } : 'fine')),
    tools: [tool('outer', () => opened.session.loop.callTool('inner', {}))],
    engine: { tools: [{ ...tool('inner', () => Promise.resolve('')), run: () => Promise.resolve('from inside') }] },
  });
  expect(await opened.session.send('Go').result).toMatchObject({ ended: 'answered', text: 'fine' });
});

it('honours the signal of a steering input that came too late', async () => {
  const bench = new KernelBench();
  const abort = new AbortController();
  let go = (): void => undefined;
  const model = new TalkingModel((_request, _options, call) =>
    call === 0
      ? new Promise((resolve) => {
          go = () => {
            resolve('first');
          };
        })
      : 'never',
  );
  const { session } = await bench.open({ model });
  const turn = session.send('Go');
  while (model.requests.length === 0) await bench.clock.advance(0);
  const late = session.send('One more thing', { steer: true, signal: abort.signal });
  abort.abort();
  go();
  expect(await turn.result).toMatchObject({ ended: 'answered', text: 'first' });
  expect(await late.result).toMatchObject({ ended: 'aborted', steps: 0 });
  expect(model.requests).toHaveLength(1);
  expect(JSON.stringify(await bench.entries())).toContain('One more thing');
});

it('writes nothing more in a turn whose lease was lost, and leaves the session to its new owner', async () => {
  const bench = new KernelBench();
  let go = (): void => undefined;
  const model = new TalkingModel(
    () =>
      new Promise((resolve) => {
        go = () => {
          resolve('late answer');
        };
      }),
  );
  const { session } = await bench.open({ model });
  const turn = session.send('Go');
  while (model.requests.length === 0) await bench.clock.advance(0);
  await bench.clock.advance(50_000);
  const held = await bench.store.leases.acquire(session.id, 'other', 60_000);
  expect(held).toMatchObject({ heldBy: expect.any(String) as string });
  // This process was asleep: its timers did not run while the lease ran out.
  bench.clock.set(bench.clock.now() + 120_000);
  expect(await bench.store.leases.acquire(session.id, 'other', 600_000)).toMatchObject({ owner: 'other' });
  await bench.clock.advance(20_000);
  go();
  await expect(turn.result).rejects.toMatchObject({ code: 'LOG_FENCE_STALE' });
  expect(JSON.stringify(await bench.entries())).not.toContain('late answer');
  await session.close();
  expect(bench.clock.waiting).toBe(0);
});
