import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../../test/building.ts';
import { text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const user = (...content: unknown[]): unknown => ({ role: 'user', content });
const model = (...content: unknown[]): unknown => ({ role: 'assistant', content });
const say = (said: string): unknown => ({ type: 'text', text: said });
const use = (id: string, name = 'stir'): unknown => ({ type: 'tool_use', id, name, input: { pot: id } });
const result = (id: string, content?: unknown, extra: object = {}): unknown => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content === undefined ? {} : { content }),
  ...extra,
});
const body = (messages: unknown[], extra: object = {}): string =>
  JSON.stringify({ model: 'm', max_tokens: 9, system: 'Cook.', messages, ...extra });

const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln\u2028' };
const hidden = { type: 'thinking', thinking: '', signature: 'b25seQ==' };
const redacted = { type: 'redacted_thinking', data: 'cmVk' };
const opaque = (format: string, value: unknown): unknown => ({
  type: 'opaque',
  provider: 'anthropic',
  format,
  bytes: JSON.stringify(value),
});
const everyBlock = [
  user(
    { ...(say('Soup?') as object), cache_control: { type: 'ephemeral' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'image', source: { type: 'url', url: 'https://kitchen.example/pot.png' } },
    { type: 'document', title: 'list.txt', source: { type: 'text', media_type: 'text/plain', data: 'salt' } },
    { type: 'document', source: { type: 'content', content: [say('pepper')] } },
    { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    { type: 'container_upload', file_id: 'file_2' },
    { type: 'riddle', x: 1 },
  ),
  model(thinking, hidden, redacted, { type: 'thinking', thinking: 'plain' }, say(' '), say('Yes.'), use('a'), use('b')),
  user(result('b'), result('a', [say('hot'), { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'BBBB' } }])),
  { role: 'system', content: 'Mind the lid.' },
  model(use('c')),
  user(
    result(
      'c',
      [
        say('burnt'),
        { type: 'tool_reference', tool_name: 'pan' },
        { type: 'search_result', title: 'T', source: 's', content: [say('found')] },
      ],
      { is_error: true },
    ),
  ),
  model({ type: 'container_upload', file_id: 'f' }, { type: 'riddle', y: 2 }, say('Done.')),
  user(say('Thanks.')),
];
const userParts = [
  { type: 'text', text: 'Soup?' },
  { type: 'image', image: 'AAAA', mediaType: 'image/png' },
  { type: 'image', image: 'https://kitchen.example/pot.png' },
  { type: 'file', data: 'c2FsdA==', mediaType: 'text/plain', filename: 'list.txt' },
  { type: 'text', text: 'pepper' },
  { type: 'file', data: 'file_1', mediaType: 'application/pdf' },
  { type: 'file', data: 'file_2' },
  { type: 'text', text: '{"type":"riddle","x":1}' },
];

describe('Anthropic bodies', () => {
  it('reads system text, tools and every block', async () => {
    const { items, system, tools, report } = await one(
      body(everyBlock, {
        system: [{ type: 'text', text: 'Cook.', cache_control: { type: 'ephemeral' } }, say('Well.')],
        tools: [
          { name: 'stir', description: 'd', input_schema: { type: 'object' } },
          { type: 'web_search_20250305', name: 'web_search' },
        ],
      }),
    );
    expect(system).toBe('Cook.\n\nWell.');
    expect(tools).toEqual([{ name: 'stir', description: 'd', inputSchema: { type: 'object' } }]);
    expect(items[0]).toMatchObject({
      origin: 'user_input',
      message: {
        content: userParts,
      },
    });
    expect(JSON.stringify(items)).not.toContain('cache_control');
    expect(items[1]).toMatchObject({
      finish: 'tool-calls',
      message: {
        content: [
          { type: 'reasoning', text: 'Hm.' },
          opaque('thinking', thinking),
          opaque('thinking', hidden),
          opaque('redacted_thinking', redacted),
          { type: 'reasoning', text: 'plain' },
          { type: 'text', text: 'Yes.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'stir', input: { pot: 'a' } },
          { type: 'tool-call', toolCallId: 'b' },
        ],
      },
    });
    expect(items.slice(2, 5)).toMatchObject([
      {
        kind: 'result',
        part: { toolCallId: 'a', output: { type: 'content', value: [{ text: 'hot' }, { type: 'image-data', data: 'BBBB' }] } },
      },
      { kind: 'result', part: { toolCallId: 'b', output: { type: 'text', value: '' } } },
      { kind: 'user', origin: 'notice' },
    ]);
    expect(items[6]).toMatchObject({ part: { output: { type: 'error-text', value: 'burnt\n[tool: pan]\n[search result: T, s]\nfound' } } });
    expect(items[7]).toMatchObject({ message: { content: [{ format: 'container_upload' }, { format: 'riddle' }, { text: 'Done.' }] } });
    expect(report).toMatchObject({
      records: 8,
      read: 8,
      assistant: 3,
      toolCalls: 3,
      toolResults: 3,
      thinking: 4,
      thinkingSigned: 3,
      images: 3,
      notice: 1,
      kinds: { user: 4, assistant: 3, system: 1 },
    });
    expect(report.notes.map((one) => one.reason)).toEqual(['unknown-block', 'unknown-block']);
  });

  it('keeps what the provider ran in the message, and its sealed content aside', async () => {
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: 's1',
      content: [{ type: 'web_search_result', title: 'Pots', encrypted_content: 'c2VhbGVk' }],
    };
    const { items, report } = await one(
      body([
        user(say('Search.')),
        model(
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'pots' } },
          found,
          say('One.'),
          { type: 'mcp_tool_use', id: 'm1', name: 'weigh', server_name: 'scale', input: {} },
          { type: 'mcp_tool_result', tool_use_id: 'm1', is_error: true, content: [say('no scale')] },
          { type: 'server_tool_use', id: 's2', name: 'web_fetch', input: {} },
          { type: 'web_fetch_tool_result', tool_use_id: 's2', content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' } },
          { type: 'server_tool_use', id: 's3', name: 'code_execution', input: {} },
          use('a'),
        ),
        user(result('a', 'ok')),
        model(
          { type: 'code_execution_tool_result', tool_use_id: 's3', content: { type: 'code_execution_result', stdout: '4' } },
          say('Four.'),
        ),
        user(say('Good.')),
      ]),
    );
    expect(items[1]).toMatchObject({
      message: {
        content: [
          { type: 'tool-call', toolCallId: 's1', providerExecuted: true },
          {
            type: 'tool-result',
            toolCallId: 's1',
            toolName: 'web_search',
            output: { type: 'json', value: [{ type: 'web_search_result', title: 'Pots' }] },
          },
          { type: 'opaque', format: 'web_search_tool_result', bytes: JSON.stringify(found) },
          { type: 'text', text: 'One.' },
          { toolCallId: 'm1', providerExecuted: true },
          { toolCallId: 'm1', output: { type: 'error-text', value: 'no scale' } },
          { toolCallId: 's2', providerExecuted: true },
          { toolCallId: 's2', output: { type: 'error-json' } },
          { type: 'tool-call', toolCallId: 's3' },
          { type: 'tool-call', toolCallId: 'a' },
        ],
      },
    });
    expect(items.slice(2, 4)).toMatchObject([
      { kind: 'result', line: 3, part: { toolCallId: 's3', output: { value: { stdout: '4' } } } },
      { kind: 'result', line: 2, part: { toolCallId: 'a' } },
    ]);
    expect(JSON.stringify(items[1])).not.toContain('"encrypted_content":"c2VhbGVk"}]}');
    expect(report).toMatchObject({ toolCalls: 5, toolResults: 5, callsWithoutResult: 0, assistant: 2 });
  });

  it('reads a compaction and its summary as hidden', async () => {
    const { items, report } = await one(
      body([
        user(say('Long story.')),
        model({ type: 'compaction', content: 'They cooked.' }, say('Go on.')),
        model({ type: 'compaction', content: null }),
        user(say('And?')),
      ]),
    );
    expect(items.map((item) => item.kind)).toEqual(['user', 'hidden', 'hidden', 'assistant', 'hidden', 'user']);
    expect(items[2]).toMatchObject({ body: { kind: 'message', origin: 'handoff', hidden: true } });
    expect(report).toMatchObject({ compactions: 2, handoff: 1, read: 3, hidden: 1, assistant: 1 });
  });

  it('puts results before the text beside them, and tells reminders apart', async () => {
    const { items, report } = await one(
      body([
        user(say('Go.')),
        model(use('a')),
        user(say('<system-reminder>Be brief.</system-reminder>'), result('a', 'x')),
        model(use('b')),
        user(result('b', 'y'), say('<system-reminder>No.</system-reminder>'), say('And stir.')),
        model(use('c')),
        user(result('c', 'z'), result('c', 'again'), result('lost', 'w')),
        user(say('')),
        user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }),
      ]),
    );
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual([
      'user_input',
      'assistant',
      'result',
      'notice',
      'assistant',
      'result',
      'user_input',
      'assistant',
      'result',
      'user_input',
    ]);
    expect(report.userInputBy).toEqual({ typed: 1, 'with-result': 1, image: 1 });
    expect(report.skipped).toEqual([
      { index: 6, reason: 'duplicate-result', detail: 'c' },
      { index: 6, reason: 'result-without-call', detail: 'lost' },
      { index: 7, reason: 'empty-user' },
    ]);
  });

  it('keeps adjacent messages of one role apart', async () => {
    const { report } = await one(body([user(say('a')), user(say('b')), model(say('c')), model(say('d')), user(say('e'))]));
    expect(report).toMatchObject({ userInput: 3, assistant: 2, records: 5 });
  });

  it('notes a prefill of a body, and none of a bare list or a call', async () => {
    const prefilled = await one(body([user(say('a')), model(say('{"pot":'))]));
    expect(prefilled.report.notes).toEqual([{ index: 1, reason: 'prefill' }]);
    expect(prefilled.items[1]).toMatchObject({ kind: 'assistant', finish: 'other', usage: null });
    expect((await one(body([user(say('a')), model(use('b'))]))).report.notes).toEqual([]);
    const bare = await one(JSON.stringify([user(result('a', 'x')), model(say('b'))]));
    expect(bare.report.notes).toEqual([]);
  });

  it('reads a history that the client cut', async () => {
    const { report } = await one(body([user(result('gone', 'x')), model(use('b')), user(say('c'))]));
    expect(report).toMatchObject({ resultsWithoutCall: 1, callsWithoutResult: 1, userInput: 1 });
  });

  it('reads the longest of several bodies of one session, whatever the cache markers', async () => {
    const first = user({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } });
    const grown = [user(say('a')), model(use('x')), user(result('x', 'y'))];
    const other = [user(say('another session'))];
    const content = lines(
      body([first]),
      body(grown),
      body(other),
      body(grown.slice(0, 2)),
      body([...grown, model(say('z')), { role: 'user', content: 'q' }]),
      body([]),
    );
    for (const file of [content, JSON.stringify(content.split('\n').map((line) => JSON.parse(line) as unknown))]) {
      const { format, sessions } = await read(file);
      expect(format).toBe('anthropic');
      expect(sessions.map(({ items }) => userTexts(items))).toEqual([['another session'], ['a', 'q']]);
      expect(sessions.flatMap(({ report }) => report.skipped.map((one) => one.detail))).toEqual(
        expect.arrayContaining(['body 0', 'body 1', 'body 3', 'body 5']),
      );
      expect(sessions.map(({ report }) => report.records)).toEqual([1, 5]);
    }
  });

  it('reads the longest also when it comes first', async () => {
    const { sessions } = await read(lines(body([user(say('a')), model(say('b')), user(say('c'))]), body([user(say('a'))])));
    expect(sessions.map(({ items }) => userTexts(items))).toEqual([['a', 'c']]);
  });

  it('reads the same body only once', async () => {
    const same = body([user(say('a'))]);
    const { sessions } = await read(lines(same, same));
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.report.skipped).toMatchObject([{ reason: 'superseded' }]);
  });

  it('appends the response beside a body, and reads one by itself', async () => {
    const response = {
      type: 'message',
      role: 'assistant',
      content: [say('There.')],
      stop_reason: 'max_tokens',
      usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5, cache_creation_input_tokens: 6 },
    };
    for (const { items, report } of [await one(body([user(say('a'))], { response })), await one(JSON.stringify(response))]) {
      expect(items.at(-1)).toMatchObject({
        kind: 'assistant',
        finish: 'length',
        usage: { input: 3, output: 4, cacheRead: 5, cacheWrite: 6 },
      });
      expect(report.usage.calls).toBe(1);
    }
  });

  it('skips what is no message', async () => {
    const { items, report } = await one(
      body([null, 'x', { role: 'pot', content: 'y' }, { role: 'user', content: 7 }, { content: 'y' }, model(), user(say('ok'))]),
    );
    expect(report.skipped.map((one) => [one.index, one.reason])).toEqual([
      [0, 'malformed'],
      [1, 'malformed'],
      [2, 'unknown-role'],
      [3, 'malformed'],
      [4, 'unknown-role'],
    ]);
    expect(report).toMatchObject({ assistantEmpty: 1, hidden: 1, records: 7 });
    expect(text(items.at(-1))).toBe('ok');
  });
});
