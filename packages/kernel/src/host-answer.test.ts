import { expect, it } from 'vitest';
import { KernelBench } from '../test/bench.ts';
import { answerOf } from './host-answer.ts';

const text = { type: 'text', text: 'hi' };
const call = (toolCallId: string): object => ({ type: 'tool-call', toolCallId, toolName: 't', input: {} });
const reply = { role: 'assistant', content: [text] };

it.each<[string, unknown, string]>([
  ['another role', { reply: { role: 'user', content: [text] } }, 'reply.role'],
  ['no content', { reply: { role: 'assistant' } }, 'reply.content'],
  [
    'a part that an assistant never makes',
    { reply: { role: 'assistant', content: [{ type: 'image', image: 'aGk=' }] } },
    'reply.content[0].type',
  ],
  [
    'a call without a name',
    { reply: { role: 'assistant', content: [text, { type: 'tool-call', toolCallId: 'a', input: {} }] } },
    'reply.content[1].toolName',
  ],
  [
    'two calls of one id',
    { reply: { role: 'assistant', content: [call('a'), text, call('b'), call('a')] } },
    'reply.content[3].toolCallId: "a"',
  ],
  ['usage below zero', { reply, usage: { input: -1, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 } }, 'usage.input'],
  ['usage without end', { reply, usage: { input: 1, output: Infinity, cacheRead: 0, cacheWrite: 0, reasoning: 0 } }, 'usage.output'],
  [
    'usage that is no number',
    { reply, usage: { input: 1, output: Number.NaN, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
    'usage.output',
  ],
  ['usage in half', { reply, usage: { input: 1, output: 1 } }, 'usage.cacheRead'],
  ['a fault of no known kind', { error: { kind: 'boom', message: 'x' } }, 'kind'],
  ['a fault without text', { error: { kind: 'overflow', message: 7 } }, 'message'],
  ['nothing', {}, 'reply'],
  ['null', null, ''],
])('is refused with a typed error that names the field: %s', (_name, given, path) => {
  expect(() => answerOf(given as never)).toThrow(
    expect.objectContaining({ code: 'LOOP_ANSWER_INVALID', message: expect.stringContaining(`: ${path}`) as string }) as Error,
  );
});

it.each<[unknown, object]>([
  [
    { kind: 'overflow', message: 'too long', limit: 8_000 },
    { kind: 'overflow', message: 'too long', limit: 8_000 },
  ],
  [Object.assign(new Error('boom'), { kind: 'other' }), { kind: 'unknown', message: 'boom' }],
  ['a string', { kind: 'unknown', message: 'a string' }],
  [undefined, { kind: 'unknown', message: 'undefined' }],
])('is a fault, classified by the host or of unknown kind: %j', (error, fault) => {
  expect(answerOf({ error })).toEqual({ kind: 'failed', fault });
});

it('writes nothing of a bad answer, and takes a good one for the same step', async () => {
  const bench = new KernelBench();
  const { session } = await bench.open();
  await session.loop.submit('Go');
  const step = await session.loop.prepare();
  if ('refused' in step) throw new Error(step.refused);
  const before = (await bench.entries()).length;
  await expect(session.loop.record(step.stepId, { reply: { role: 'tool', content: [] } as never })).rejects.toMatchObject({
    code: 'LOOP_ANSWER_INVALID',
  });
  expect(await bench.entries()).toHaveLength(before);
  expect(await session.loop.record(step.stepId, { reply: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } })).toEqual({
    next: 'done',
    ended: 'answered',
  });
});
