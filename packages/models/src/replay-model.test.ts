import type { Answer, ModelRequest } from '@palimpsest/contracts';
import { expect, it } from 'vitest';
import { ReplayModel } from './replay-model.ts';

const request: ModelRequest = { route: 'openai-chat:replay/recorded', system: '', tools: [], messages: [], settings: {} };
const reply = (text: string): Answer => ({
  kind: 'reply',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  calls: [],
  finish: 'stop',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
});
const live = { signal: new AbortController().signal };

it('gives back what was handed in, in order, and then a typed fault', async () => {
  const model = new ReplayModel();
  model.expect(reply('one'));
  model.expect(reply('two'));
  expect(await model.call(request, live)).toEqual(reply('one'));
  expect(model.pending).toBe(1);
  expect(await model.call(request, live)).toEqual(reply('two'));
  expect(await model.call(request, live)).toMatchObject({ kind: 'failed', fault: { kind: 'invalid' } });
});

it('takes nothing when the call is aborted', async () => {
  const model = new ReplayModel();
  model.expect(reply('one'));
  expect(await model.call(request, { signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' });
  expect(model.pending).toBe(1);
});
