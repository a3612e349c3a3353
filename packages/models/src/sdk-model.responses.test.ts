import { createOpenAI } from '@ai-sdk/openai';
import type { Model } from '@palimpsest/contracts';
import { describe, expect, it } from 'vitest';
import { asked, json, loopback, request, sse } from './loopback.test-support.ts';
import { SdkModel } from './sdk-model.ts';
import { openWire } from './wires.ts';

const loop = loopback();

describe('Responses', () => {
  const reasoning = {
    id: 'rs_1',
    type: 'reasoning',
    encrypted_content: 'BLOB',
    summary: [
      { type: 'summary_text', text: 'First.' },
      { type: 'summary_text', text: 'Then.' },
    ],
  };
  const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"x"}', status: 'completed' };
  const whole = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'gpt-5',
    status: 'completed',
    output: [reasoning, call],
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 7 },
    },
  };
  const summary = (index: number, text: string): unknown[] => [
    {
      type: 'response.reasoning_summary_part.added',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: index,
      part: { type: 'summary_text', text: '' },
    },
    { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: index, delta: text },
    {
      type: 'response.reasoning_summary_part.done',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: index,
      part: { type: 'summary_text', text },
    },
  ];
  const stream = [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [], encrypted_content: '' } },
    ...summary(0, 'First.'),
    ...summary(1, 'Then.'),
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '', status: 'in_progress' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":"x"}' },
    { type: 'response.output_item.done', output_index: 1, item: call },
    { type: 'response.completed', response: whole },
  ];
  const model = (streaming: boolean): Model =>
    new SdkModel('openai-responses:openai/gpt-5', createOpenAI({ baseURL: loop.baseUrl, apiKey: 'k' }).responses('gpt-5'), { streaming });

  it.each([
    ['streamed', true],
    ['whole', false],
  ])('%s: encrypted reasoning becomes one opaque item, and goes back as it came', async (_, streaming) => {
    loop.answer = streaming ? sse(stream, true) : json(whole);
    const answer = await asked(model(streaming));
    expect(answer).toMatchObject({
      kind: 'reply',
      finish: 'tool-calls',
      usage: { input: 20, output: 30, cacheRead: 100, cacheWrite: 0, reasoning: 7 },
      calls: [{ id: 'call_1', input: { path: 'x' } }],
    });
    if (answer.kind !== 'reply') throw new Error('no reply');
    expect(answer.message.content.map((part) => part.type)).toEqual(['reasoning', 'reasoning', 'opaque', 'tool-call']);
    const next = { ...request, route: 'openai-responses:openai/gpt-5', messages: [...request.messages, answer.message] };
    const body = JSON.parse(await (await openWire('openai-responses')).body(next)) as { store: boolean; input: { type?: string }[] };
    expect(body.store).toBe(false);
    expect(body.input.filter((item) => item.type === 'reasoning')).toEqual([
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'BLOB', summary: reasoning.summary },
    ]);
  });

  it('an overflow inside the stream is one', async () => {
    loop.answer = sse(
      [
        stream[0],
        {
          type: 'error',
          sequence_number: 1,
          code: 'context_length_exceeded',
          message: 'Your input exceeds the context window of this model.',
          param: 'input',
        },
      ],
      true,
    );
    expect(await asked(model(true))).toMatchObject({ kind: 'failed', fault: { kind: 'overflow' } });
  });
});
