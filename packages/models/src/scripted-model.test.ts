import type { Clock, Delta, ModelRequest } from '@palimpsest/contracts';
import { expect, it } from 'vitest';
import { ScriptedModel, scriptedReply } from './scripted-model.ts';

const request: ModelRequest = { route: 'openai-chat:scripted/scripted', system: '', tools: [], messages: [], settings: {} };
const live = { signal: new AbortController().signal };

/** Sleeps are listed, and end at once or on abort. */
class ListingClock implements Clock {
  pause(): Promise<void> {
    return Promise.resolve();
  }

  readonly slept: number[] = [];
  hang = false;
  now(): number {
    return 0;
  }
  elapsed(): number {
    return 0;
  }
  every(): () => void {
    return () => undefined;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    if (!this.hang) return Promise.resolve();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    });
  }
}

it('answers in order with ids that count up, and fails when the script is over', async () => {
  const deltas: Delta[] = [];
  const model = new ScriptedModel(
    [
      {
        text: 'Reading.',
        tool_calls: [
          { name: 'read', input: { path: 'a' } },
          { name: 'read', input: 'raw' },
        ],
      },
      { tool_calls: [{ name: 'read', input: {} }] },
      { text: 'Done.' },
    ],
    new ListingClock(),
  );
  const first = await model.call(request, { ...live, onDelta: (delta) => deltas.push(delta) });
  expect(first).toMatchObject({
    kind: 'reply',
    finish: 'tool-calls',
    calls: [
      { id: 'call_1', name: 'read', input: { path: 'a' } },
      { id: 'call_2', input: 'raw' },
    ],
  });
  expect(first.kind === 'reply' && first.message.content.map((part) => part.type)).toEqual(['text', 'tool-call', 'tool-call']);
  expect(deltas).toEqual([{ type: 'text-delta', text: 'Reading.' }]);
  expect(await model.call(request, live)).toMatchObject({ calls: [{ id: 'call_3' }] });
  expect(await model.call(request, live)).toMatchObject({
    finish: 'stop',
    calls: [],
    message: { content: [{ type: 'text', text: 'Done.' }] },
  });
  expect(await model.call(request, live)).toMatchObject({ kind: 'failed', fault: { kind: 'invalid' } });
});

it('begins again where it is told to, with fresh ids', async () => {
  const model = new ScriptedModel([{ tool_calls: [{ name: 'read', input: {} }] }], new ListingClock(), { atEnd: 'loop' });
  await model.call(request, live);
  expect(await model.call(request, live)).toMatchObject({ calls: [{ id: 'call_2' }] });
});

it('fails where the script says so, after the delay', async () => {
  const clock = new ListingClock();
  const model = new ScriptedModel([{ fault: { kind: 'overflow', message: 'too long', limit: 10 }, delay_ms: 30 }], clock);
  expect(await model.call(request, live)).toEqual({ kind: 'failed', fault: { kind: 'overflow', message: 'too long', limit: 10 } });
  expect(clock.slept).toEqual([30]);
});

it('is aborted during its delay', async () => {
  const clock = new ListingClock();
  clock.hang = true;
  const stop = new AbortController();
  const answer = new ScriptedModel([{ text: 'late', delay_ms: 1000 }], clock).call(request, { signal: stop.signal });
  stop.abort();
  expect(await answer).toEqual({ kind: 'aborted' });
});

it('reads replies as data and refuses unknown keys', () => {
  expect(scriptedReply.safeParse({ text: 'a', tool_calls: [{ name: 'x', input: { y: [1] } }] }).success).toBe(true);
  expect(scriptedReply.safeParse({ txt: 'a' }).success).toBe(false);
});
