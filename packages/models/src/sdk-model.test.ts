import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Delta, Model, ModelRequest } from '@palimpsest/contracts';
import { describe, expect, it } from 'vitest';
import { asked, clock, frames, json, live, loopback, openAt, request, sse } from './loopback.test-support.ts';
import { openModel } from './open-model.ts';
import { SdkModel } from './sdk-model.ts';
import { openWire } from './wires.ts';

const loop = loopback();

const chunk = (delta: unknown, finish: string | null = null): unknown => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const chatUsage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100 },
  completion_tokens_details: { reasoning_tokens: 7 },
};
const usageChunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: chatUsage };
const startCall = (index: number, id: string, args: string): unknown =>
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name: 'read', arguments: args } }] });
const chatStream = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Let me ' }),
  chunk({ content: 'look.' }),
  startCall(0, 'call_a', '{"pa'),
  chunk({ tool_calls: [{ index: 0, function: { arguments: 'th":"x"}' } }] }),
  startCall(1, 'call_b', '{"path": "cut'),
  chunk({}, 'tool_calls'),
  usageChunk,
  '[DONE]',
];
const chatReply = {
  kind: 'reply',
  finish: 'tool-calls',
  message: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', toolCallId: 'call_a', toolName: 'read', input: { path: 'x' } },
      { type: 'tool-call', toolCallId: 'call_b', toolName: 'read', input: '{"path": "cut' },
    ],
  },
  calls: [
    { id: 'call_a', name: 'read', input: { path: 'x' } },
    { id: 'call_b', name: 'read', input: '{"path": "cut' },
  ],
  usage: { input: 20, output: 30, cacheRead: 100, cacheWrite: 0, reasoning: 7 },
};

describe.each([
  ['openai', 'gpt-4.1'],
  ['openai-compatible', 'local'],
] as const)('a streamed Chat Completions answer (%s)', (provider, id) => {
  it('becomes a reply: text, calls, arguments that are no JSON as text, usage without what was cached', async () => {
    loop.answer = sse(chatStream);
    const deltas: Delta[] = [];
    expect(await asked(await openAt(loop, provider, id), (delta) => deltas.push(delta))).toEqual(chatReply);
    expect(deltas.filter((delta) => delta.type === 'text-delta').map(({ text }) => text)).toEqual(['Let me ', 'look.']);
    expect(deltas.flatMap((delta) => (delta.type === 'tool-input-delta' && delta.callId === 'call_a' ? [delta.text] : [])).join('')).toBe(
      '{"path":"x"}',
    );
  });

  it('whose arguments are nested without end keeps them as the text they are', async () => {
    const args = '{"a":['.repeat(50_000) + ']}'.repeat(50_000);
    loop.answer = sse([chatStream[0], startCall(0, 'call_a', args), chunk({}, 'tool_calls'), usageChunk, '[DONE]']);
    expect(await asked(await openAt(loop, provider, id))).toMatchObject({ kind: 'reply', calls: [{ id: 'call_a', input: args }] });
  });

  it('that is cut is no reply', async () => {
    loop.answer = sse(chatStream.slice(0, 3));
    expect(await asked(await openAt(loop, provider, id))).toMatchObject({ kind: 'failed', fault: { kind: 'network' } });
  });

  it('whose connection breaks is no reply', async () => {
    loop.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames(chatStream.slice(0, 3)), () => response.destroy());
    };
    expect(await asked(await openAt(loop, provider, id))).toMatchObject({ kind: 'failed', fault: { kind: 'network' } });
  });

  it('that reports an overflow in its middle fails as one', async () => {
    loop.answer = sse([
      ...chatStream.slice(0, 2),
      {
        error: {
          message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      },
    ]);
    expect(await asked(await openAt(loop, provider, id))).toMatchObject({
      kind: 'failed',
      fault: { kind: 'overflow', limit: 8192, requested: 9000 },
    });
  });

  it('is aborted in its middle, with the text that had come', async () => {
    const closed = new Promise<void>((done) => {
      loop.answer = (response) => {
        response.on('close', done);
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frames(chatStream.slice(0, 2)));
      };
    });
    const stop = new AbortController();
    const model = await openAt(loop, provider, id);
    expect(
      await model.call(
        { ...request, route: model.route },
        {
          signal: stop.signal,
          onDelta: () => {
            stop.abort();
          },
        },
      ),
    ).toEqual({ kind: 'aborted', partial: 'Let me ' });
    await closed;
  });

  it('is aborted before its first byte', async () => {
    const stop = new AbortController();
    loop.answer = () => {
      stop.abort();
    };
    const model = await openAt(loop, provider, id);
    expect(await model.call({ ...request, route: model.route }, { signal: stop.signal })).toEqual({ kind: 'aborted' });
    expect(await model.call({ ...request, route: model.route }, { signal: stop.signal })).toEqual({ kind: 'aborted' });
  });
});

describe('refusals over HTTP', () => {
  it.each([
    [
      400,
      {
        error: {
          message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 192041 tokens.",
          code: 'context_length_exceeded',
        },
      },
      { kind: 'overflow', limit: 128000, requested: 192041 },
    ],
    [
      429,
      {
        error: {
          message: 'Rate limit reached on tokens per min (TPM): Limit 30000, Requested 40000.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      { kind: 'rate_limit' },
    ],
    [400, '{"error":"the request exceeds the available context size"}', { kind: 'overflow' }],
    [413, '<html>Request Entity Too Large</html>', { kind: 'payload_size' }],
    [500, 'oops', { kind: 'overloaded' }],
    [401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, { kind: 'auth' }],
  ])('%i %j', async (status, body, fault) => {
    loop.answer = json(body, status);
    for (const provider of ['openai', 'openai-compatible'] as const)
      expect(await asked(await openAt(loop, provider, 'm'))).toMatchObject({ kind: 'failed', fault });
  });

  it('and a server that is not there', async () => {
    const gone = await openModel({ provider: 'openai-compatible', model: 'm', baseUrl: 'http://127.0.0.1:9' }, { clock });
    expect(await asked(gone)).toMatchObject({ kind: 'failed', fault: { kind: 'network' } });
  });

  it('are one request each: nothing is retried here', async () => {
    loop.answer = json({ error: { message: 'Slow down.' } }, 429);
    const before = loop.bodies.length;
    await asked(await openAt(loop, 'openai', 'm'));
    expect(loop.bodies.length - before).toBe(1);
  });
});

describe('answers that are not streamed', () => {
  const generated = (provider: LanguageModelV4, route: string): Model => new SdkModel(route, provider, { streaming: false });

  it('say the same as streamed ones', async () => {
    const calls = [
      ['call_a', '{"path":"x"}'],
      ['call_b', '{"path": "cut'],
    ].map(([id, args]) => ({ id, type: 'function', function: { name: 'read', arguments: args } }));
    loop.answer = json({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: 'Let me look.', tool_calls: calls } }],
      usage: chatUsage,
    });
    const deltas: Delta[] = [];
    expect(
      await asked(generated(createOpenAI({ baseURL: loop.baseUrl, apiKey: 'k' }).chat('gpt-4.1'), request.route), (delta) =>
        deltas.push(delta),
      ),
    ).toEqual(chatReply);
    expect(deltas).toEqual([{ type: 'text-delta', text: 'Let me look.' }]);
    expect(loop.bodies.at(-1)).toBe(await (await openWire('openai-chat')).body(request));
  });

  it('that are no JSON are faults', async () => {
    loop.answer = json('<html>login</html>');
    expect(
      await asked(
        generated(createAnthropic({ baseURL: loop.baseUrl, apiKey: 'k' })('claude-haiku-4-5'), 'anthropic:anthropic/claude-haiku-4-5'),
      ),
    ).toMatchObject({ kind: 'failed', fault: { kind: 'network' } });
  });

  it('are left behind on abort in the middle of a stream that goes on saying nothing', async () => {
    const stop = new AbortController();
    let cancelled = false;
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'so far' });
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const deaf = { doStream: () => Promise.resolve({ stream }) } as unknown as LanguageModelV4;
    const onDelta = (): void =>
      void setImmediate(() => {
        stop.abort();
      });
    expect(await new SdkModel(request.route, deaf).call(request, { signal: stop.signal, onDelta })).toEqual({
      kind: 'aborted',
      partial: 'so far',
    });
    expect(cancelled).toBe(true);
  });

  it('are left behind on abort, also by a package that does not listen', async () => {
    const deaf = {
      specificationVersion: 'v4',
      provider: 'x',
      modelId: 'x',
      supportedUrls: {},
      doGenerate: () => new Promise(() => undefined),
      doStream: () => new Promise(() => undefined),
    } as unknown as LanguageModelV4;
    for (const streaming of [true, false]) {
      const stop = new AbortController();
      const answer = new SdkModel(request.route, deaf, { streaming }).call(request, { signal: stop.signal });
      stop.abort();
      expect(await answer).toEqual({ kind: 'aborted' });
    }
  });
});

it('a request that no provider package takes is an answer too', async () => {
  const bad: ModelRequest = { ...request, tools: [{ name: 'x', description: '', inputSchema: 1 }] };
  expect(await (await openAt(loop, 'openai', 'm')).call(bad, live)).toMatchObject({ kind: 'failed', fault: { kind: 'invalid' } });
});
