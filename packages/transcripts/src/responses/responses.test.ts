import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../../test/building.ts';
import { userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const body = (input: unknown, extra: object = {}): string => JSON.stringify({ model: 'm', input, ...extra });
const user = (said: string): unknown => ({ role: 'user', content: said });
const said = (text: string): unknown => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] });
const call = (id: string, args = '{"pot":1}'): unknown => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'stir',
  arguments: args,
});
const output = (id: string, value: unknown): unknown => ({ type: 'function_call_output', call_id: id, output: value });
const reasoning = (summary: string, encrypted: string | null, extra: object = {}): unknown => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: summary === '' ? [] : [{ type: 'summary_text', text: summary }],
  ...(encrypted === null ? {} : { encrypted_content: encrypted }),
  ...extra,
});

const clientCalls: readonly (readonly [object, object, unknown, unknown])[] = [
  [
    { type: 'function_call', call_id: 'a', name: 'f', namespace: 'n', arguments: '{"x":' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    '{"x":',
    { type: 'text', value: 'A' },
  ],
  [
    { type: 'custom_tool_call', call_id: 'b', name: 'edit', input: '{"raw":1}' },
    { type: 'custom_tool_call_output', call_id: 'b', output: 'B' },
    '{"raw":1}',
    { type: 'text', value: 'B' },
  ],
  [
    { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } },
    { type: 'local_shell_call_output', id: 'c', output: 'C' },
    { command: ['ls'] },
    { type: 'text', value: 'C' },
  ],
  [
    { type: 'shell_call', call_id: 'd', action: { commands: ['ls'] } },
    { type: 'shell_call_output', call_id: 'd', output: [{ stdout: 'D' }] },
    { commands: ['ls'] },
    { type: 'json', value: [{ stdout: 'D' }] },
  ],
  [
    { type: 'apply_patch_call', call_id: 'e', operation: { type: 'delete_file' } },
    { type: 'apply_patch_call_output', call_id: 'e', status: 'failed', output: 'E' },
    { type: 'delete_file' },
    { type: 'error-text', value: 'E' },
  ],
  [
    { type: 'computer_call', call_id: 'f', action: { type: 'click' } },
    { type: 'computer_call_output', call_id: 'f', output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,FF' } },
    { type: 'click' },
    { type: 'content', value: [{ type: 'image-data', data: 'FF', mediaType: 'image/png' }] },
  ],
  [
    { type: 'tool_search_call', call_id: 'g', execution: 'client', arguments: { q: 1 } },
    { type: 'tool_search_output', call_id: 'g', tools: [{ name: 't' }] },
    { q: 1 },
    { type: 'json', value: [{ name: 't' }] },
  ],
  [
    { type: 'program', call_id: 'h', code: 'run()' },
    { type: 'program_output', call_id: 'h', result: 'H' },
    'run()',
    { type: 'text', value: 'H' },
  ],
  [
    { type: 'function_call', call_id: 'i', name: 'old', arguments: '' },
    { type: 'function_call_output', call_id: 'i', output: { content: 'I', success: false } },
    {},
    { type: 'error-text', value: 'I' },
  ],
];

describe('Responses bodies', () => {
  it('reads messages by role and their content', async () => {
    const { items, system, tools, report } = await one(
      body(
        [
          { role: 'developer', content: 'Cook.' },
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_text', text: 'Look.' },
              { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
              { type: 'input_image', file_id: 'file_1' },
              { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
              { type: 'input_file', file_url: 'https://kitchen.example/b.pdf' },
              { type: 'riddle' },
            ],
          },
          { role: 'assistant', content: 'A pot.' },
          { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
          { role: 'system', content: 'Later.' },
          { role: 'pot', content: 'x' },
          { role: 'user', content: '' },
        ],
        {
          instructions: 'Be kind.',
          tools: [{ type: 'function', name: 'stir', description: 'd', parameters: { type: 'object' } }, { type: 'web_search' }],
        },
      ),
    );
    expect(system).toBe('Cook.\n\nBe kind.');
    expect(tools).toEqual([{ name: 'stir', description: 'd', inputSchema: { type: 'object' } }]);
    expect(items).toMatchObject([
      {
        origin: 'user_input',
        message: {
          content: [
            { text: 'Look.' },
            { type: 'image', image: 'AAAA', mediaType: 'image/png' },
            { type: 'image', image: 'file_1' },
            { type: 'file', data: 'BBBB', mediaType: 'application/pdf', filename: 'a.pdf' },
            { type: 'file', data: 'https://kitchen.example/b.pdf' },
            { text: '{"type":"riddle"}' },
          ],
        },
      },
      { kind: 'assistant', message: { content: [{ text: 'A pot.' }, { text: 'No.' }] } },
      { origin: 'notice' },
    ]);
    expect(report).toMatchObject({ records: 7, read: 5, images: 2, assistant: 1, notice: 1 });
    expect(report.skipped.map((one) => one.reason)).toEqual(['unknown-role', 'empty-user']);
  });

  it('keeps reasoning as the item it was, and shows its summary', async () => {
    const [sealed, open, bare] = [reasoning('Hm.', 'ZW5j'), reasoning('So.', null), reasoning('', null)];
    const { items, report } = await one(
      body([user('x'), sealed, call('a'), output('a', 'y'), open, said('z'), user('q'), bare, said('w')]),
    );
    const opaque = (item: unknown): unknown => ({ type: 'opaque', provider: 'openai', format: 'reasoning', bytes: JSON.stringify(item) });
    expect(items.filter((item) => item.kind === 'assistant').map((item) => item.message.content)).toMatchObject([
      [{ type: 'reasoning', text: 'Hm.' }, opaque(sealed), { type: 'tool-call' }],
      [{ type: 'reasoning', text: 'So.' }, { text: 'z' }],
      [opaque(bare), { text: 'w' }],
    ]);
    expect(report).toMatchObject({ thinking: 3, thinkingSigned: 1, assistant: 3 });
  });

  it('reads every kind of call that a client answers', async () => {
    const { items, report } = await one(body([user('x'), ...clientCalls.flatMap(([asked, answered]) => [asked, answered])]));
    const calls = items.flatMap((item) => (item.kind === 'assistant' ? item.message.content : []));
    const results = items.flatMap((item) => (item.kind === 'result' ? [item.part.output] : []));
    expect(calls.map((part) => (part.type === 'tool-call' ? part.input : null))).toEqual(clientCalls.map(([, , input]) => input));
    expect(results).toEqual(clientCalls.map(([, , , value]) => value));
    expect(calls.map((part) => (part.type === 'tool-call' ? part.toolName : ''))).toEqual([
      'f',
      'edit',
      'local_shell',
      'shell',
      'apply_patch',
      'computer',
      'tool_search',
      'program',
      'old',
    ]);
    expect(report).toMatchObject({ toolCalls: 9, toolResults: 9, assistant: 9, images: 1 });
  });

  it('keeps what the provider ran in one message', async () => {
    const hosted = [
      { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'pots' } },
      { type: 'file_search_call', id: 'fs', queries: ['q'], results: [{ text: 'r' }] },
      { type: 'code_interpreter_call', id: 'ci', code: '1', outputs: [{ logs: '1' }] },
      { type: 'image_generation_call', id: 'ig', result: 'AAAA', output_format: 'webp' },
      { type: 'mcp_call', id: 'mc', name: 'weigh', arguments: '{"g":1}', output: 'light' },
      { type: 'mcp_call', id: 'md', name: 'weigh', arguments: '{}', error: { code: 1 } },
    ];
    const { items, report } = await one(body([user('x'), ...hosted, said('done')]));
    expect(items).toHaveLength(2);
    const content = items[1]?.kind === 'assistant' ? items[1].message.content : [];
    expect(content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))).toEqual([
      { type: 'text', value: 'completed' },
      { type: 'json', value: [{ text: 'r' }] },
      { type: 'json', value: [{ logs: '1' }] },
      { type: 'content', value: [{ type: 'image-data', data: 'AAAA', mediaType: 'image/webp' }] },
      { type: 'text', value: 'light' },
      { type: 'error-text', value: '{"code":1}' },
    ]);
    expect(content[8]).toMatchObject({ toolName: 'weigh', input: { g: 1 }, providerExecuted: true });
    expect(report).toMatchObject({ toolCalls: 6, toolResults: 6, images: 1, assistant: 1 });
  });

  it('hides what is no message', async () => {
    const { items, report } = await one(
      body([
        user('x'),
        { type: 'mcp_list_tools', id: 'l' },
        { type: 'mcp_approval_request', id: 'r' },
        { type: 'mcp_approval_response', approve: true },
        { type: 'compaction', encrypted_content: 'ZW5j' },
        { type: 'compaction_trigger' },
        { type: 'item_reference', id: 'msg_1' },
        { type: 'riddle', x: 1 },
        7,
      ]),
    );
    expect(items.filter((item) => item.kind === 'hidden')).toHaveLength(7);
    expect(items[4]).toMatchObject({ body: { kind: 'compaction', hidden: true, details: { encrypted_content: 'ZW5j' } } });
    expect(report).toMatchObject({ compactions: 1, hidden: 7, read: 1, skippedRecords: 1 });
    expect(report.notes.map((one) => one.reason)).toEqual(['item_reference', 'unknown-block']);
  });

  it('says that a history is incomplete', async () => {
    for (const extra of [{ previous_response_id: 'resp_1' }, { conversation: { id: 'c' } }]) {
      expect((await one(body([user('x')], extra))).report.notes).toEqual([{ index: 0, reason: 'history-incomplete' }]);
    }
    expect((await one(body([user('x')], { previous_response_id: null }))).report.notes).toEqual([]);
  });

  it('merges successive items up to the next output or user item', async () => {
    const { items } = await one(
      body([
        user('x'),
        reasoning('one', 'a'),
        said('Now.'),
        call('a'),
        call('b'),
        output('b', 1),
        output('a', 2),
        reasoning('two', 'b'),
        call('c'),
        output('c', ''),
        said('Done.'),
        user('y'),
        said('Bye.'),
      ]),
    );
    expect(items.map((item) => [item.kind, item.line])).toEqual([
      ['user', 0],
      ['assistant', 1],
      ['result', 6],
      ['result', 5],
      ['assistant', 7],
      ['result', 9],
      ['assistant', 10],
      ['user', 11],
      ['assistant', 12],
    ]);
  });

  it('appends the response, whatever the input is', async () => {
    const response = {
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [reasoning('Hm.', 'ZQ'), said('There.'), { type: 'compaction', encrypted_content: 'x' }],
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 2 },
      },
    };
    for (const input of ['x', [user('x')], [user('x'), said('kept apart')]]) {
      const { items, report } = await one(body(input, { response }));
      expect(items.findLast((item) => item.kind === 'assistant')).toMatchObject({
        finish: 'length',
        usage: { input: 5, cacheRead: 4, output: 7, reasoning: 2 },
        message: { content: [{ text: 'Hm.' }, { type: 'opaque' }, { text: 'There.' }] },
      });
      expect(report).toMatchObject({ usage: { calls: 1 }, userInput: 1, compactions: 1 });
    }
    const alone = await one(JSON.stringify(response));
    expect(alone.report).toMatchObject({ assistant: 1, usage: { calls: 1, output: 7 }, records: 3 });
  });

  it('answers a call without output, and skips an output without call', async () => {
    const { items, report } = await one(body([output('lost', 'x'), user('x'), call('a'), user('y')]));
    expect(report).toMatchObject({ callsWithoutResult: 1, resultsWithoutCall: 1 });
    expect(items[2]).toMatchObject({ kind: 'result', made: true, line: null });
  });

  it('reads the longest of several bodies, also when the first has one text', async () => {
    const { sessions } = await read(lines(body('x'), body([user('x'), said('y'), user('z')]), body('other')));
    expect(sessions.map(({ items }) => userTexts(items))).toEqual([['x', 'z'], ['other']]);
    expect(sessions[0]?.report.skipped).toMatchObject([{ reason: 'superseded', detail: 'body 0' }]);
  });
});
