import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import { text, userTexts, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const list = (...messages: unknown[]): Promise<SessionReading> => one(JSON.stringify(messages), { format: 'ai-sdk' });
const user = (content: unknown, extra: object = {}): unknown => ({ role: 'user', content, ...extra });
const model = (...content: unknown[]): unknown => ({ role: 'assistant', content });
const call = (id: string, extra: object = {}): unknown => ({ type: 'tool-call', toolCallId: id, toolName: 'stir', input: { pot: id }, ...extra });
const result = (id: string, output: unknown, extra: object = {}): unknown => ({ type: 'tool-result', toolCallId: id, toolName: 'stir', output, ...extra });
const tool = (...content: unknown[]): unknown => ({ role: 'tool', content });
const ui = (role: string, parts: unknown[], extra: object = {}): unknown => ({ id: 'u', role, parts, ...extra });
const outputs = ({ items }: SessionReading): unknown[] => items.flatMap((item) => (item.kind === 'result' ? [item.part.output] : []));
const contents = ({ items }: SessionReading): unknown[] => items.flatMap((item) => (item.kind === 'assistant' ? [item.message.content] : []));

describe('model messages', () => {
  it('reads system, user and file data in each of their forms', async () => {
    const { items, system, report } = await list(
      { role: 'system', content: 'Cook.' },
      user([
        { type: 'text', text: 'Look.' },
        { type: 'image', image: 'data:image/png;base64,AAAA' },
        { type: 'image', image: { type: 'Buffer', data: [1, 2] }, mediaType: 'image/jpeg' },
        { type: 'file', data: { 0: 1, 1: 2 }, mediaType: 'application/pdf', filename: 'a.pdf' },
        { type: 'file', data: { type: 'data', data: 'CCCC' }, mediaType: 'image/webp' },
        { type: 'file', data: { type: 'url', url: 'https://kitchen.example/x' }, mediaType: 'text/csv' },
        { type: 'file', data: { type: 'reference', reference: { openai: 'file_1' } }, mediaType: 'application/pdf' },
        { type: 'file', data: { type: 'text', text: 'inline' }, mediaType: 'text/plain' },
        { type: 'riddle' },
      ]),
      { role: 'system', content: 'Later.' },
      { role: 'pot', content: '' },
      user([]),
    );
    expect(system).toBe('Cook.');
    expect(items[0]).toMatchObject({
      origin: 'user_input',
      message: {
        content: [
          { text: 'Look.' },
          { type: 'image', image: 'AAAA', mediaType: 'image/png' },
          { type: 'image', image: 'AQI=', mediaType: 'image/jpeg' },
          { type: 'file', data: 'AQI=', mediaType: 'application/pdf', filename: 'a.pdf' },
          { type: 'image', image: 'CCCC', mediaType: 'image/webp' },
          { type: 'file', data: 'https://kitchen.example/x', mediaType: 'text/csv' },
          { type: 'file', data: '{"openai":"file_1"}' },
          { text: 'inline' },
          { text: '{"type":"riddle"}' },
        ],
      },
    });
    expect(items[1]).toMatchObject({ origin: 'notice' });
    expect(report).toMatchObject({ images: 3, records: 5, read: 3 });
    expect(report.skipped.map((one) => one.reason)).toEqual(['unknown-role', 'empty-user']);
  });

  it('reads every kind of output', async () => {
    const kinds: readonly (readonly [unknown, unknown])[] = [
      [{ type: 'text', value: 'a' }, { type: 'text', value: 'a' }],
      [{ type: 'json', value: { b: 1 } }, { type: 'json', value: { b: 1 } }],
      [{ type: 'error-text', value: 'c' }, { type: 'error-text', value: 'c' }],
      [{ type: 'error-json', value: [4] }, { type: 'error-json', value: [4] }],
      [{ type: 'execution-denied', reason: 'hot' }, { type: 'error-text', value: 'The call was denied: hot' }],
      [
        {
          type: 'content',
          value: [
            { type: 'text', text: 't' },
            { type: 'image-data', data: 'AA', mediaType: 'image/png' },
            { type: 'media', data: 'BB', mediaType: 'image/jpeg' },
            { type: 'file', data: 'CC', mediaType: 'image/gif' },
            { type: 'file-data', data: 'DD', mediaType: 'application/pdf', filename: 'd.pdf' },
            { type: 'image-url', url: 'https://kitchen.example/e.png' },
            { type: 'file-url', url: 'https://kitchen.example/f' },
            { type: 'file-id', fileId: 'g' },
            { type: 'custom', x: 1 },
          ],
        },
        {
          type: 'content',
          value: [
            { type: 'text', text: 't' },
            { type: 'image-data', data: 'AA', mediaType: 'image/png' },
            { type: 'image-data', data: 'BB', mediaType: 'image/jpeg' },
            { type: 'image-data', data: 'CC', mediaType: 'image/gif' },
            { type: 'text', text: '[file d.pdf of type application/pdf]' },
            { type: 'text', text: '[image: https://kitchen.example/e.png]' },
            { type: 'text', text: '[file  of type application/octet-stream]' },
            { type: 'text', text: '[file  of type application/octet-stream]' },
            { type: 'text', text: '{"type":"custom","x":1}' },
          ],
        },
      ],
    ];
    const reading = await list(user('x'), model(...kinds.map((_, at) => call(String(at)))), tool(...kinds.map(([output], at) => result(String(at), output))));
    expect(outputs(reading)).toEqual(kinds.map(([, read]) => read));
    expect(reading.report).toMatchObject({ toolCalls: 6, toolResults: 6, images: 3 });
  });

  it('makes the provider\u2019s own blocks of signed reasoning', async () => {
    const openai = (extra: object = {}): object => ({ providerOptions: { openai: { itemId: 'rs_1', ...extra } } });
    const odd = { type: 'reasoning', text: 'g', providerOptions: { google: { thoughtSignature: 'cw' } } };
    const reading = await list(
      user('x'),
      model(
        { type: 'reasoning', text: 'a', providerOptions: { anthropic: { signature: 'c2ln' } } },
        { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'cmVk' } } },
        { type: 'reasoning', text: 'b', ...openai() },
        { type: 'reasoning', text: 'c', ...openai({ reasoningEncryptedContent: 'ZW5j' }) },
        odd,
        { type: 'reasoning', text: 'plain', providerOptions: { anthropic: { cacheControl: {} } } },
        { type: 'text', text: 'z' },
        call('t', { providerOptions: { google: { thoughtSignature: 'dg', other: 1 } } }),
        { type: 'custom', kind: 'openai.compaction', x: 1 },
        { type: 'reasoning-file', data: 'AA', mediaType: 'image/png' },
      ),
    );
    const block = (provider: string, format: string, value: unknown): unknown => ({ type: 'opaque', provider, format, bytes: JSON.stringify(value) });
    expect(contents(reading)[0]).toEqual([
      { type: 'reasoning', text: 'a' },
      block('anthropic', 'thinking', { type: 'thinking', thinking: 'a', signature: 'c2ln' }),
      block('anthropic', 'redacted_thinking', { type: 'redacted_thinking', data: 'cmVk' }),
      { type: 'reasoning', text: 'b\n\nc' },
      block('openai', 'reasoning', {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'b' }, { type: 'summary_text', text: 'c' }],
        encrypted_content: 'ZW5j',
      }),
      { type: 'reasoning', text: 'g' },
      block('google', 'reasoning', odd),
      { type: 'reasoning', text: 'plain' },
      { type: 'text', text: 'z' },
      { type: 'tool-call', toolCallId: 't', toolName: 'stir', input: { pot: 't' }, providerOptions: { google: { thoughtSignature: 'dg' } } },
      block('openai', 'compaction', { type: 'custom', kind: 'openai.compaction', x: 1 }),
      { type: 'file', data: 'AA', mediaType: 'image/png' },
    ]);
    expect(reading.report).toMatchObject({ thinking: 5, thinkingSigned: 4, images: 1, callsWithoutResult: 1 });
  });

  it('keeps a result of the provider in its message, and takes a late one from behind', async () => {
    const reading = await list(
      user('x'),
      model(call('a', { providerExecuted: true }), result('a', { type: 'text', value: 'A' }), call('b', { providerExecuted: true })),
      tool(result('b', { type: 'text', value: 'B' })),
    );
    expect(reading.items.map((item) => item.kind)).toEqual(['user', 'assistant', 'result']);
    expect(contents(reading)[0]).toMatchObject([{ toolCallId: 'a', providerExecuted: true }, { type: 'tool-result', output: { value: 'A' } }, { toolCallId: 'b' }]);
    expect(reading.report).toMatchObject({ toolCalls: 2, toolResults: 2 });
  });

  it('joins an approval and its refusal, and answers the refused call', async () => {
    const ask = (id: string): unknown => ({ type: 'tool-approval-request', approvalId: `p${id}`, toolCallId: id });
    const reply = (id: string, approved: boolean): unknown => ({ type: 'tool-approval-response', approvalId: `p${id}`, approved, reason: 'hot' });
    const { items, report } = await list(
      user('x'),
      model(call('a'), call('b'), call('c'), ask('a'), ask('b'), ask('c')),
      tool(reply('a', false), reply('b', false), reply('c', true), result('b', { type: 'execution-denied' })),
      tool(result('c', { type: 'text', value: 'C' })),
    );
    expect(items.flatMap((item) => (item.kind === 'result' ? [[item.part.toolCallId, item.made, item.part.output.value]] : []))).toEqual([
      ['a', true, 'The call was denied: hot'],
      ['b', false, 'The call was denied.'],
      ['c', false, 'C'],
    ]);
    expect(report).toMatchObject({ callsWithoutResult: 1, toolResults: 2, toolCalls: 3 });
    expect(items.filter((item) => item.kind === 'hidden')).toHaveLength(4);
  });

  it('AS-3: takes the results of one step from one message or several', async () => {
    const { items } = await list(user('x'), user('y'), model(call('a'), call('b')), tool(result('b', { type: 'text', value: 'B' })), tool(result('a', { type: 'text', value: 'A' })), model({ type: 'text', text: 'z' }), model({ type: 'text', text: 'w' }));
    expect(items.map((item) => [item.kind, item.line])).toEqual([['user', 0], ['user', 1], ['assistant', 2], ['result', 4], ['result', 3], ['assistant', 5], ['assistant', 6]]);
  });
});

describe('UI messages', () => {
  it('divides a turn into its steps', async () => {
    const reading = await list(
      ui('user', [{ type: 'text', text: 'x' }, { type: 'file', url: 'data:image/png;base64,AA', mediaType: 'image/png' }, { type: 'data-weather', data: 1 }]),
      ui('assistant', [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.', state: 'done', providerMetadata: { anthropic: { signature: 'c2ln' } } },
        { type: 'tool-stir', toolCallId: 'a', state: 'output-available', input: { pot: 1 }, output: { hot: true } },
        { type: 'dynamic-tool', toolName: 'taste', toolCallId: 'b', state: 'output-error', rawInput: '{"x":', errorText: 'no' },
        { type: 'step-start' },
        { type: 'source-url', url: 'https://kitchen.example' },
        { type: 'data-progress', data: 2 },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,BB' },
        { type: 'text', text: 'half', state: 'streaming' },
      ], { id: 'v' }),
    );
    expect(reading.items.map((item) => item.kind)).toEqual(['user', 'hidden', 'assistant', 'result', 'result', 'assistant', 'hidden']);
    expect(reading.items[2]).toMatchObject({ message: { content: [{ type: 'reasoning' }, { type: 'opaque', format: 'thinking' }, { toolName: 'stir', input: { pot: 1 } }, { toolName: 'taste', input: '{"x":' }] } });
    expect(outputs(reading)).toEqual([{ type: 'json', value: { hot: true } }, { type: 'error-text', value: 'no' }]);
    expect(text(reading.items[5])).toBe('<file>half');
    expect(reading.report).toMatchObject({ records: 2, read: 2, assistant: 2, images: 2, thinkingSigned: 1 });
  });

  it('reads each state of a tool', async () => {
    const states: readonly (readonly [object, unknown])[] = [
      [{ state: 'input-available' }, [true, 'No result was recorded for this call.']],
      [{ state: 'approval-requested', approval: { id: 'p' } }, [true, 'No result was recorded for this call.']],
      [{ state: 'approval-responded', approval: { id: 'p', approved: true } }, [true, 'No result was recorded for this call.']],
      [{ state: 'approval-responded', approval: { id: 'p', approved: false, reason: 'hot' } }, [false, 'The call was denied: hot']],
      [{ state: 'output-denied', approval: { id: 'p', approved: false } }, [false, 'The call was denied.']],
      [{ state: 'output-available', output: 'a', preliminary: true }, [false, 'a']],
      [{ state: 'output-error', errorText: 'e' }, [false, 'e']],
    ];
    const parts = states.map(([state], at) => ({ type: 'tool-stir', toolCallId: `c${String(at)}`, input: {}, ...state }));
    const { items, report } = await list(ui('user', [{ type: 'text', text: 'x' }]), ui('assistant', [...parts, { type: 'tool-stir', toolCallId: 'half', state: 'input-streaming', input: { a: 1 } }], { id: 'v' }));
    expect(items.flatMap((item) => (item.kind === 'result' ? [[item.made, item.part.output.value]] : []))).toEqual(states.map(([, said]) => said));
    expect(report.skipped).toEqual([{ index: 1, reason: 'incomplete-call', detail: 'half' }]);
    expect(report.notes).toEqual([{ index: 1, reason: 'preliminary' }]);
    expect(report).toMatchObject({ toolCalls: 7, callsWithoutResult: 3, read: 2 });
  });

  it('keeps a tool of the provider in its message', async () => {
    const { items } = await list(ui('assistant', [{ type: 'tool-search', toolCallId: 'a', state: 'output-available', input: {}, output: 'x', providerExecuted: true }, { type: 'text', text: 'y' }]));
    expect(items).toMatchObject([{ kind: 'assistant', message: { content: [{ providerExecuted: true }, { type: 'tool-result' }, { text: 'y' }] } }]);
  });

  it('AS-1: reads v4 messages of both kinds', async () => {
    const reading = await list(
      user('x', { id: '1', experimental_attachments: [{ url: 'data:image/png;base64,AA', contentType: 'image/png' }] }),
      { id: '2', role: 'assistant', content: 'All done.', reasoning: 'Hm.', toolInvocations: [
        { state: 'result', step: 1, toolCallId: 'b', toolName: 'stir', args: {}, result: { ok: 1 } },
        { state: 'result', step: 0, toolCallId: 'a', toolName: 'stir', args: { x: 1 }, result: 'A' },
        { state: 'partial-call', step: 1, toolCallId: 'c', toolName: 'stir', args: {} },
        { state: 'call', step: 1, toolCallId: 'd', toolName: 'stir', args: {} },
      ] },
      { id: '3', role: 'data', content: '' },
      ui('assistant', [{ type: 'reasoning', reasoning: 'So.', details: [{ type: 'text', text: 'So.', signature: 'c2ln' }, { type: 'redacted', data: 'cmVk' }] }, { type: 'tool-invocation', toolInvocation: { state: 'result', toolCallId: 'e', toolName: 'stir', args: {}, result: 'E' } }, { type: 'file', data: 'BB', mimeType: 'image/png' }], { id: '4' }),
      model({ type: 'tool-call', toolCallId: 'f', toolName: 'stir', args: { y: 1 } }, { type: 'redacted-reasoning', data: 'cmVk' }),
      tool({ type: 'tool-result', toolCallId: 'f', toolName: 'stir', result: 'bad', isError: true }),
      model({ type: 'tool-call', toolCallId: 'g', toolName: 'stir', args: {} }),
      tool({ type: 'tool-result', toolCallId: 'g', result: 0, experimental_content: [{ type: 'image', data: 'CC', mimeType: 'image/png' }] }),
    );
    expect(outputs(reading)).toEqual([
      { type: 'text', value: 'A' },
      { type: 'json', value: { ok: 1 } },
      { type: 'error-text', value: 'No result was recorded for this call.' },
      { type: 'text', value: 'E' },
      { type: 'error-text', value: 'bad' },
      { type: 'content', value: [{ type: 'image-data', data: 'CC', mediaType: 'image/png' }] },
    ]);
    expect(reading.items.map((item) => item.kind)).toEqual(['user', 'assistant', 'result', 'assistant', 'result', 'result', 'assistant', 'hidden', 'assistant', 'result', 'assistant', 'result', 'assistant', 'result']);
    expect(text(reading.items[6])).toBe('<reasoning>All done.');
    expect(reading.items[8]).toMatchObject({ message: { content: [{ text: 'So.' }, { format: 'thinking' }, { format: 'redacted_thinking' }, { type: 'tool-call' }, { type: 'file' }] } });
    expect(reading.report).toMatchObject({ records: 8, images: 3, hidden: 1 });
    expect(reading.report.skipped.map((one) => one.reason)).toEqual(['incomplete-call']);
  });

  it('AS-2: notes repeated ids, and drops a message that was stored again with more', async () => {
    const t = (said: string, extra: object = {}): unknown => ({ type: 'text', text: said, ...extra });
    const { items, report } = await list(
      ui('user', [t('a')], { id: 'x' }),
      ui('assistant', [t('one', { state: 'streaming' }), { type: 'tool-stir', toolCallId: 'c', state: 'input-available', input: {} }], { id: 'y' }),
      ui('assistant', [t('one', { state: 'done' }), { type: 'tool-stir', toolCallId: 'c', state: 'output-available', input: {}, output: 'r' }, t('two')], { id: 'y' }),
      ui('user', [t('b')], { id: 'x' }),
      ui('assistant', [t('other')], { id: 'x' }),
    );
    expect(report.skipped).toEqual([{ index: 1, reason: 'superseded' }]);
    expect(report.notes).toEqual([{ index: 3, reason: 'id-repeated' }, { index: 4, reason: 'id-repeated' }]);
    expect(userTexts(items)).toEqual(['a', 'b']);
    expect(report).toMatchObject({ toolCalls: 1, toolResults: 1, assistant: 2 });
  });

  it('AS-4: reads no usage out of metadata', async () => {
    const { report } = await list(ui('assistant', [{ type: 'text', text: 'x' }], { metadata: { usage: { inputTokens: 5 } } }));
    expect(report.usage.calls).toBe(0);
  });

  it('AS-5: tells users without parts, with data alone, and older messages beside newer ones', async () => {
    const { items, report } = await list(ui('user', []), ui('user', [{ type: 'data-x', data: 1 }]), { id: 'q', role: 'user', content: 'old' }, ui('user', [{ type: 'text', text: 'new' }], { id: 'r' }), ui('assistant', [], { id: 's' }), ui('system', [{ type: 'text', text: 'late' }], { id: 't' }));
    expect(userTexts(items)).toEqual(['old', 'new', 'late']);
    expect(report).toMatchObject({ hidden: 2, assistantEmpty: 1, skippedRecords: 1, notice: 1 });
    expect(report.skipped).toEqual([{ index: 0, reason: 'empty-user' }]);
  });
});
