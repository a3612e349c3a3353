import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import type { SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const list = (...messages: unknown[]): Promise<SessionReading> => one(JSON.stringify(messages), { format: 'ai-sdk' });
const user = (content: unknown, extra: object = {}): unknown => ({ role: 'user', content, ...extra });
const model = (...content: unknown[]): unknown => ({ role: 'assistant', content });
const call = (id: string, extra: object = {}): unknown => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'stir',
  input: { pot: id },
  ...extra,
});
const result = (id: string, output: unknown, extra: object = {}): unknown => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'stir',
  output,
  ...extra,
});
const tool = (...content: unknown[]): unknown => ({ role: 'tool', content });
const outputs = ({ items }: SessionReading): unknown[] => items.flatMap((item) => (item.kind === 'result' ? [item.part.output] : []));
const contents = ({ items }: SessionReading): unknown[] =>
  items.flatMap((item) => (item.kind === 'assistant' ? [item.message.content] : []));

const outputKinds: readonly (readonly [unknown, unknown])[] = [
  [
    { type: 'text', value: 'a' },
    { type: 'text', value: 'a' },
  ],
  [
    { type: 'json', value: { b: 1 } },
    { type: 'json', value: { b: 1 } },
  ],
  [
    { type: 'error-text', value: 'c' },
    { type: 'error-text', value: 'c' },
  ],
  [
    { type: 'error-json', value: [4] },
    { type: 'error-json', value: [4] },
  ],
  [
    { type: 'execution-denied', reason: 'hot' },
    { type: 'error-text', value: 'The call was denied: hot' },
  ],
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
    const reading = await list(
      user('x'),
      model(...outputKinds.map((_, at) => call(String(at)))),
      tool(...outputKinds.map(([output], at) => result(String(at), output))),
    );
    expect(outputs(reading)).toEqual(outputKinds.map(([, read]) => read));
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
    const block = (provider: string, format: string, value: unknown): unknown => ({
      type: 'opaque',
      provider,
      format,
      bytes: JSON.stringify(value),
    });
    expect(contents(reading)[0]).toEqual([
      { type: 'reasoning', text: 'a' },
      block('anthropic', 'thinking', { type: 'thinking', thinking: 'a', signature: 'c2ln' }),
      block('anthropic', 'redacted_thinking', { type: 'redacted_thinking', data: 'cmVk' }),
      { type: 'reasoning', text: 'b\n\nc' },
      block('openai', 'reasoning', {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'b' },
          { type: 'summary_text', text: 'c' },
        ],
        encrypted_content: 'ZW5j',
      }),
      { type: 'reasoning', text: 'g' },
      block('google', 'reasoning', odd),
      { type: 'reasoning', text: 'plain' },
      { type: 'text', text: 'z' },
      {
        type: 'tool-call',
        toolCallId: 't',
        toolName: 'stir',
        input: { pot: 't' },
        providerOptions: { google: { thoughtSignature: 'dg' } },
      },
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
    expect(contents(reading)[0]).toMatchObject([
      { toolCallId: 'a', providerExecuted: true },
      { type: 'tool-result', output: { value: 'A' } },
      { toolCallId: 'b' },
    ]);
    expect(reading.report).toMatchObject({ toolCalls: 2, toolResults: 2 });
  });

  it('joins an approval and its refusal, and answers the refused call', async () => {
    const ask = (id: string): unknown => ({ type: 'tool-approval-request', approvalId: `p${id}`, toolCallId: id });
    const reply = (id: string, approved: boolean): unknown => ({
      type: 'tool-approval-response',
      approvalId: `p${id}`,
      approved,
      reason: 'hot',
    });
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

  it('takes no wildcard for a media type', async () => {
    const { items } = await list(user([{ type: 'image', image: 'AAAA', mediaType: 'image/*' }]));
    expect(items).toMatchObject([{ message: { content: [{ type: 'image', image: 'AAAA' }] } }]);
    expect(JSON.stringify(items)).not.toContain('mediaType');
  });

  it('takes the results of one step from one message or several', async () => {
    const { items } = await list(
      user('x'),
      user('y'),
      model(call('a'), call('b')),
      tool(result('b', { type: 'text', value: 'B' })),
      tool(result('a', { type: 'text', value: 'A' })),
      model({ type: 'text', text: 'z' }),
      model({ type: 'text', text: 'w' }),
    );
    expect(items.map((item) => [item.kind, item.line])).toEqual([
      ['user', 0],
      ['user', 1],
      ['assistant', 2],
      ['result', 4],
      ['result', 3],
      ['assistant', 5],
      ['assistant', 6],
    ]);
  });
});
