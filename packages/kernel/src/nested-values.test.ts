import { DEEPEST, type Json } from '@palimpsest/contracts';
import { expect, it } from 'vitest';
import { KernelBench, TalkingModel, tool } from '../test/bench.ts';

const nested = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

it.each([DEEPEST + 1, 200_000])(
  "a model's call nested %i levels deep is a fault that is named, and the session goes on",
  async (levels) => {
    const bench = new KernelBench();
    const model = new TalkingModel((_request, _options, call) =>
      call === 0 ? { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: nested(levels) }] } : 'done',
    );
    const { session } = await bench.open({ model });
    await expect(session.send('Go').result).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('nested deeper than 200 levels') as string,
    });
    expect(await session.send('Again').result).toMatchObject({ ended: 'answered', text: 'done' });
    expect((await session.why()).verified).toBe(true);
  },
);

it(`a model's call nested ${String(DEEPEST)} levels deep is a call like any other`, async () => {
  const bench = new KernelBench();
  const model = new TalkingModel((_request, _options, call) =>
    call === 0 ? { parts: [{ type: 'tool-call', toolCallId: 'c', toolName: 'read', input: nested(DEEPEST) }] } : 'done',
  );
  const { session } = await bench.open({ model });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
});

it("a tool's result nested without end is an error that the model reads", async () => {
  const bench = new KernelBench();
  const model = new TalkingModel((_request, _options, call) => (call === 0 ? { calls: ['read'] } : 'done'));
  const { session } = await bench.open({ model, tools: [tool('read', () => Promise.resolve({ type: 'json', value: nested(200_000) }))] });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: 'done' });
  expect(JSON.stringify(await bench.entries())).toContain('the result cannot be written as JSON');
});
