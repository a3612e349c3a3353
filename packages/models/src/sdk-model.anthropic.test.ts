import type { ModelRequest } from '@palimpsest/contracts';
import { describe, expect, it } from 'vitest';
import { asked, live, loopback, openAt, request, sse } from './loopback.test-support.ts';
import { openWire } from './wires.ts';

const loop = loopback();

describe('Anthropic', () => {
  const started = {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 20, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 1 },
    },
  };
  const block = (index: number, content: unknown, deltas: readonly unknown[]): unknown[] => [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const ended = (reason: string): unknown[] => [
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 30 } },
    { type: 'message_stop' },
  ];
  const stream = [
    started,
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'so ' },
      { type: 'thinking_delta', thinking: 'then' },
      { type: 'signature_delta', signature: 'SIG' },
    ]),
    ...block(1, { type: 'redacted_thinking', data: 'BLOB' }, []),
    ...block(2, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Reading.' }]),
    ...block(3, { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }, [
      { type: 'input_json_delta', partial_json: '{"path":' },
      { type: 'input_json_delta', partial_json: '"x"}' },
    ]),
    ...ended('tool_use'),
  ];

  it('answers with signed thinking, which goes back exactly as it came', async () => {
    loop.answer = sse(stream, true);
    const model = await openAt(loop, 'anthropic', 'claude-haiku-4-5');
    const answer = await asked(model);
    expect(answer).toMatchObject({
      kind: 'reply',
      finish: 'tool-calls',
      usage: { input: 20, output: 30, cacheRead: 100, cacheWrite: 5, reasoning: 0 },
      calls: [{ id: 'toolu_1', name: 'read', input: { path: 'x' } }],
    });
    if (answer.kind !== 'reply') throw new Error('no reply');
    expect(answer.message.content.map((part) => part.type)).toEqual(['reasoning', 'opaque', 'opaque', 'text', 'tool-call']);
    const next: ModelRequest = {
      ...request,
      route: model.route,
      messages: [
        ...request.messages,
        answer.message,
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'toolu_1', toolName: 'read', output: { type: 'text', value: 'x' } }] },
      ],
    };
    loop.answer = sse([started, ...ended('end_turn')], true);
    await model.call(next, live);
    const sent = JSON.parse(loop.bodies.at(-1) ?? '') as { messages: { content: unknown[] }[] };
    expect(sent.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'so then', signature: 'SIG' },
      { type: 'redacted_thinking', data: 'BLOB' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'x' } },
    ]);
    const { stream: streams, ...rest } = sent as unknown as Record<string, unknown>;
    expect(streams).toBe(true);
    expect(rest).toEqual(JSON.parse(await (await openWire('anthropic')).body(next)));
  });

  it('that fills the window is an overflow, although it is a 200', async () => {
    loop.answer = sse(
      [started, ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Half' }]), ...ended('model_context_window_exceeded')],
      true,
    );
    expect(await asked(await openAt(loop, 'anthropic', 'claude-haiku-4-5'))).toMatchObject({ kind: 'failed', fault: { kind: 'overflow' } });
  });

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'refused'],
    ['end_turn', 'stop'],
  ])('that stops with %s ends as %s', async (reason, finish) => {
    loop.answer = sse([started, ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Hm' }]), ...ended(reason)], true);
    expect(await asked(await openAt(loop, 'anthropic', 'claude-haiku-4-5'))).toMatchObject({ kind: 'reply', finish });
  });

  it('goes on after an event of an unknown kind', async () => {
    loop.answer = sse(
      [
        started,
        { type: 'brand_new_event', x: 1 },
        ...block(0, { type: 'text', text: '' }, [{ type: 'text_delta', text: 'Hm' }]),
        ...ended('end_turn'),
      ],
      true,
    );
    expect(await asked(await openAt(loop, 'anthropic', 'claude-haiku-4-5'))).toMatchObject({
      kind: 'reply',
      message: { content: [{ type: 'text', text: 'Hm' }] },
    });
  });

  it.each([0, 2])('that is overloaded after %i events says so', async (events) => {
    loop.answer = sse([...stream.slice(0, events), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }], true);
    expect(await asked(await openAt(loop, 'anthropic', 'claude-haiku-4-5'))).toMatchObject({
      kind: 'failed',
      fault: { kind: 'overloaded' },
    });
  });

  it('that is cut is no reply', async () => {
    loop.answer = sse(stream.slice(0, -1), true);
    expect(await asked(await openAt(loop, 'anthropic', 'claude-haiku-4-5'))).toMatchObject({ kind: 'failed', fault: { kind: 'network' } });
  });
});
