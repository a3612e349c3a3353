import type { Json, Message, ModelRequest, ToolOutput, WireName } from '@palimpsest/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opaqueOf } from './carriers.ts';
import { openWire } from './wires.ts';

const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } };
function request(messages: readonly Message[], change: Partial<ModelRequest> = {}): ModelRequest {
  return { route: 'openai-chat:replay/recorded', system: 'Be brief.', tools: [tool], messages, settings: {}, ...change };
}
type Body = { readonly [key: string]: Json };
async function bodyOf(name: WireName, asked: ModelRequest): Promise<Body> {
  return JSON.parse(await (await openWire(name)).body(asked)) as Body;
}

/** Any conversation whose pairs are whole, with any text in it. */
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '\u0000', '\uD800', 'x\uDFFF'));
const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'error-text' as const), value: text }),
  fc.record({ type: fc.constantFrom('json' as const, 'error-json' as const), value: fc.jsonValue() as fc.Arbitrary<Json> }),
  fc.record({
    type: fc.constant('content' as const),
    value: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text }),
        fc.constant({ type: 'image-data' as const, data: 'iVBORw0KGgo=', mediaType: 'image/png' }),
      ),
      { maxLength: 3 },
    ),
  }),
);
const round = fc.record({
  user: fc.array(text, { minLength: 1, maxLength: 2 }),
  said: fc.array(text, { maxLength: 2 }),
  calls: fc.array(fc.record({ input: fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, text), output }), { maxLength: 3 }),
});
const conversation = fc.array(round, { minLength: 1, maxLength: 4 }).map((rounds): Message[] => rounds.flatMap(messagesOf));

function messagesOf({ user, said, calls }: typeof round extends fc.Arbitrary<infer R> ? R : never, at: number): Message[] {
  const id = (index: number): string => `call_${String(at)}_${String(index)}`;
  return [
    { role: 'user', content: [{ type: 'text', text: 'go' }, ...user.map((part) => ({ type: 'text' as const, text: part }))] },
    {
      role: 'assistant',
      content: [
        ...said.map((part) => ({ type: 'text' as const, text: part })),
        ...calls.map(({ input }, index) => ({ type: 'tool-call' as const, toolCallId: id(index), toolName: 'read', input })),
      ],
    },
    ...calls.map((made, index): Message => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id(index), toolName: 'read', output: made.output }],
    })),
  ];
}

const dirty = /\\u0000|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/u;

/** Every rule that Chat Completions checks about messages, as a list of what is broken. */
function chatProblems(body: Body): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const [at, message] of (
    body['messages'] as {
      role: string;
      content: unknown;
      tool_call_id?: string;
      tool_calls?: { id: string; function: { arguments: string } }[];
    }[]
  ).entries()) {
    if (message.role !== 'tool' && open.size > 0) problems.push(`${String(at)}: calls without result`);
    if (message.role === 'tool' && !open.delete(message.tool_call_id ?? '')) problems.push(`${String(at)}: result without call`);
    if (message.role === 'tool' && (typeof message.content !== 'string' || message.content === ''))
      problems.push(`${String(at)}: empty result`);
    if (message.content === '' || (message.content === null && message.tool_calls === undefined))
      problems.push(`${String(at)}: empty content`);
    if (Array.isArray(message.content) && message.content.some((part: { text?: string }) => part.text === ''))
      problems.push(`${String(at)}: empty part`);
    if (message.tool_calls?.length === 0) problems.push(`${String(at)}: empty tool_calls`);
    for (const made of message.tool_calls ?? []) {
      open.add(made.id);
      const parsed: unknown = JSON.parse(made.function.arguments);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) problems.push(`${String(at)}: arguments are no object`);
    }
  }
  return open.size > 0 ? [...problems, 'end: calls without result'] : problems;
}

/** The same for Anthropic Messages, where results are blocks at the head of the next user message. */
function anthropicProblems(body: Body): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const [at, { role, content }] of (
    body['messages'] as {
      role: string;
      content: { type: string; text?: string; id?: string; tool_use_id?: string; input?: unknown; content?: unknown }[];
    }[]
  ).entries()) {
    if (content.length === 0) problems.push(`${String(at)}: empty message`);
    if (content.some((part) => part.type === 'text' && (part.text ?? '').trim() === '')) problems.push(`${String(at)}: blank text`);
    const answered = content.filter((part) => part.type === 'tool_result');
    if (answered.map((part) => part.tool_use_id).join() !== open.join())
      problems.push(`${String(at)}: ${open.join()} answered by ${answered.map((part) => part.tool_use_id).join()}`);
    if (content.slice(0, answered.length).some((part) => part.type !== 'tool_result')) problems.push(`${String(at)}: text before results`);
    if (answered.some((part) => part.content === '' || (Array.isArray(part.content) && part.content.length === 0)))
      problems.push(`${String(at)}: empty result`);
    open = role === 'assistant' ? content.filter((part) => part.type === 'tool_use').map((part) => part.id ?? '') : [];
    if (
      content.some(
        (part) => part.type === 'tool_use' && (typeof part.input !== 'object' || part.input === null || Array.isArray(part.input)),
      )
    )
      problems.push(`${String(at)}: input is no object`);
  }
  return open.length > 0 ? [...problems, 'end: calls without result'] : problems;
}

/** And for Responses, where calls and results are items of their own. */
function responsesProblems(body: Body): string[] {
  const items = body['input'] as {
    type?: string;
    role?: string;
    call_id?: string;
    arguments?: string;
    output?: unknown;
    content?: unknown;
  }[];
  const calls = items.filter((item) => item.type === 'function_call');
  const answered = items.filter((item) => item.type === 'function_call_output');
  return [
    ...(calls.map((item) => item.call_id).join() === answered.map((item) => item.call_id).join() ? [] : ['calls and results differ']),
    ...calls.flatMap((item) => (/^\{/u.test(item.arguments ?? '') ? [] : ['arguments are no object'])),
    ...answered.flatMap((item) => (item.output === '' || (Array.isArray(item.output) && item.output.length === 0) ? ['empty result'] : [])),
    ...items.flatMap((item) =>
      item.type === undefined && (item.content === '' || (Array.isArray(item.content) && item.content.length === 0))
        ? ['empty content']
        : [],
    ),
  ];
}

describe.each([
  ['openai-chat', chatProblems],
  ['anthropic', anthropicProblems],
  ['openai-responses', responsesProblems],
] as const)('the %s wire', (name, problems) => {
  it('writes any whole conversation as the provider takes it, twice the same', async () => {
    const wire = await openWire(name);
    await fc.assert(
      fc.asyncProperty(conversation, async (messages) => {
        const written = await wire.body(request(messages));
        expect(problems(JSON.parse(written) as Body)).toEqual([]);
        expect(written).not.toMatch(dirty);
        expect(await wire.body(structuredClone(request(messages)))).toBe(written);
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  it('leaves an empty tool list out, and writes bodies that do not stream', async () => {
    const body = await bodyOf(name, request([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], { tools: [] }));
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('stream');
  });

  it('keeps concurrent calls apart', async () => {
    const wire = await openWire(name);
    const bodies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        wire.body(request([{ role: 'user', content: [{ type: 'text', text: `number ${String(at)}.` }] }])),
      ),
    );
    expect(bodies.every((body, at) => body.includes(`number ${String(at)}.`))).toBe(true);
  });

  it('names the model of the route, with the slashes that belong to it', async () => {
    expect(await bodyOf(name, request([], { route: `${name}:openrouter/vendor/large-1` }))).toMatchObject({ model: 'vendor/large-1' });
  });

  it('says who refused a request that the provider package does not take', async () => {
    const broken = request([{ role: 'user', content: [{ type: 'image', image: '????' }] }]);
    await expect((await openWire(name)).body(broken)).rejects.toMatchObject({ code: 'MODEL_REQUEST_INVALID' });
  });
});

describe('wires', () => {
  it('write the settings in the words of each', async () => {
    const asked = request([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], {
      settings: { maxOutputTokens: 77, temperature: 0.5 },
    });
    expect(await bodyOf('openai-chat', asked)).toMatchObject({ max_tokens: 77, temperature: 0.5 });
    expect(await bodyOf('anthropic', asked)).toMatchObject({ max_tokens: 77, temperature: 0.5 });
    expect(await bodyOf('openai-responses', asked)).toMatchObject({ max_output_tokens: 77, temperature: 0.5, store: false });
  });

  it('replay signed and redacted thinking as it came, before the calls', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'so', signature: 'sig' },
      { type: 'redacted_thinking', data: 'blob' },
    ] as const;
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          ...blocks.map((block) => opaqueOf('anthropic', block)),
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'x' } }] },
    ];
    const body = await bodyOf('anthropic', request(messages, { route: 'anthropic:anthropic/claude-haiku-4-5' }));
    expect((body['messages'] as { content: Json[] }[])[1]?.content.slice(0, 2)).toEqual(blocks);
  });

  it('replay an encrypted reasoning item with its id and blob', async () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'a' },
        { type: 'summary_text', text: 'b' },
      ],
      encrypted_content: 'blob',
    } as const;
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [opaqueOf('openai', { ...item, summary: [...item.summary] }), { type: 'text', text: 'ok' }] },
    ];
    const body = await bodyOf('openai-responses', request(messages, { route: 'openai-responses:openai/gpt-5' }));
    expect((body['input'] as Json[]).find((one) => (one as Body)['type'] === 'reasoning')).toMatchObject(item);
  });
});
