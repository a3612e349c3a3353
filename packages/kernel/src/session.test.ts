import { expect, it, vi } from 'vitest';
import type { ModelFault } from '@palimpsest/contracts';
import { compactionDraft } from '@palimpsest/testing';
import { KernelBench, TalkingModel, tool, type Opened } from '../test/bench.ts';

it("carries a model's fault as data, whatever its text holds", async () => {
  const fault: ModelFault = { kind: 'rate_limit', message: 'overflow: 429: slow down', limit: 7 };
  const { session } = await new KernelBench().open({ model: new TalkingModel(() => ({ fault })) });
  const seen: ModelFault[] = [];
  session.on('step.failed', (event) => {
    seen.push(event.fault);
  });
  await expect(session.send('Go').result).rejects.toMatchObject({
    code: 'MODEL_FAILED',
    retryable: true,
    details: { fault: 'rate_limit' },
    message: 'openai-chat:test/model: overflow: 429: slow down (rate_limit)',
  });
  expect(seen).toEqual([fault]);
});

it('says what maintenance declined in the step it was declined for, and in no later one', async () => {
  const bench = new KernelBench();
  const opened: Opened = await bench.open({
    windowTokens: 2_000,
    model: new TalkingModel((_request, _options, call) => (call === 1 ? { calls: ['look'] } : 'done')),
    tools: [tool('look', () => Promise.resolve('seen'))],
    climb: async () => {
      const { journal } = opened.kit;
      const answer = journal
        .shown()
        .flatMap((unit) =>
          unit.kind === 'entry' && unit.placed.entry.kind === 'message' && unit.placed.entry.message.role === 'assistant'
            ? [unit.placed.entry.id]
            : [],
        )[0];
      if (answer !== undefined)
        await journal.append([
          compactionDraft([{ through: answer, show: 'summary', text: { inline: 's' }, tokens: 3, quality: 'model', trust: 'user' }]),
        ]);
      return { changed: answer !== undefined, declined: [{ what: 'reduce', why: 'nothing old is left' }] };
    },
  });
  await opened.session.send('x'.repeat(3_400)).result;
  await opened.session.send('y'.repeat(1_200)).result;
  const declined = (await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.declined] : []));
  expect(declined).toEqual([[], [{ what: 'reduce', why: 'nothing old is left' }], []]);
});

it('takes an answer once what was asked is on disk, and none where that fails', async () => {
  const bench = new KernelBench();
  const { session } = await bench.open();
  const seen: string[] = [];
  session.on('entry.appended', ({ entry }) => {
    seen.push(entry.kind);
  });
  let done: () => void = () => undefined;
  Object.assign(bench.store.log, {
    flush: () =>
      new Promise<void>((resolve) => {
        done = resolve;
      }),
  });
  const turn = session.send('Hi');
  await vi.waitFor(() => {
    expect(seen).toContain('message');
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  expect(seen).not.toContain('step');
  done();
  expect((await turn.result).ended).toBe('answered');
  Object.assign(bench.store.log, { flush: () => Promise.reject(new Error('disk full')) });
  await expect(session.send('Again').result).rejects.toThrow('disk full');
  expect(seen.filter((kind) => kind === 'step')).toHaveLength(1);
});
