import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import { text, userTexts, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const list = (...messages: unknown[]): Promise<SessionReading> => one(JSON.stringify(messages), { format: 'ai-sdk' });
const user = (content: unknown, extra: object = {}): unknown => ({ role: 'user', content, ...extra });
const model = (...content: unknown[]): unknown => ({ role: 'assistant', content });
const tool = (...content: unknown[]): unknown => ({ role: 'tool', content });
const ui = (role: string, parts: unknown[], extra: object = {}): unknown => ({ id: 'u', role, parts, ...extra });
const outputs = ({ items }: SessionReading): unknown[] => items.flatMap((item) => (item.kind === 'result' ? [item.part.output] : []));

const olderMessages = [
  user('x', { id: '1', experimental_attachments: [{ url: 'data:image/png;base64,AA', contentType: 'image/png' }] }),
  {
    id: '2',
    role: 'assistant',
    content: 'All done.',
    reasoning: 'Hm.',
    toolInvocations: [
      { state: 'result', step: 1, toolCallId: 'b', toolName: 'stir', args: {}, result: { ok: 1 } },
      { state: 'result', step: 0, toolCallId: 'a', toolName: 'stir', args: { x: 1 }, result: 'A' },
      { state: 'partial-call', step: 1, toolCallId: 'c', toolName: 'stir', args: {} },
      { state: 'call', step: 1, toolCallId: 'd', toolName: 'stir', args: {} },
    ],
  },
  { id: '3', role: 'data', content: '' },
  ui(
    'assistant',
    [
      {
        type: 'reasoning',
        reasoning: 'So.',
        details: [
          { type: 'text', text: 'So.', signature: 'c2ln' },
          { type: 'redacted', data: 'cmVk' },
        ],
      },
      { type: 'tool-invocation', toolInvocation: { state: 'result', toolCallId: 'e', toolName: 'stir', args: {}, result: 'E' } },
      { type: 'file', data: 'BB', mimeType: 'image/png' },
    ],
    { id: '4' },
  ),
  model({ type: 'tool-call', toolCallId: 'f', toolName: 'stir', args: { y: 1 } }, { type: 'redacted-reasoning', data: 'cmVk' }),
  tool({ type: 'tool-result', toolCallId: 'f', toolName: 'stir', result: 'bad', isError: true }),
  model({ type: 'tool-call', toolCallId: 'g', toolName: 'stir', args: {} }),
  tool({
    type: 'tool-result',
    toolCallId: 'g',
    result: 0,
    experimental_content: [{ type: 'image', data: 'CC', mimeType: 'image/png' }],
  }),
];

describe('UI messages', () => {
  it('divides a turn into its steps', async () => {
    const reading = await list(
      ui('user', [
        { type: 'text', text: 'x' },
        { type: 'file', url: 'data:image/png;base64,AA', mediaType: 'image/png' },
        { type: 'data-weather', data: 1 },
      ]),
      ui(
        'assistant',
        [
          { type: 'step-start' },
          { type: 'reasoning', text: 'Hm.', state: 'done', providerMetadata: { anthropic: { signature: 'c2ln' } } },
          { type: 'tool-stir', toolCallId: 'a', state: 'output-available', input: { pot: 1 }, output: { hot: true } },
          { type: 'dynamic-tool', toolName: 'taste', toolCallId: 'b', state: 'output-error', rawInput: '{"x":', errorText: 'no' },
          { type: 'step-start' },
          { type: 'source-url', url: 'https://kitchen.example' },
          { type: 'data-progress', data: 2 },
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,BB' },
          { type: 'text', text: 'half', state: 'streaming' },
        ],
        { id: 'v' },
      ),
    );
    expect(reading.items.map((item) => item.kind)).toEqual(['user', 'hidden', 'assistant', 'result', 'result', 'assistant', 'hidden']);
    expect(reading.items[2]).toMatchObject({
      message: {
        content: [
          { type: 'reasoning' },
          { type: 'opaque', format: 'thinking' },
          { toolName: 'stir', input: { pot: 1 } },
          { toolName: 'taste', input: '{"x":' },
        ],
      },
    });
    expect(outputs(reading)).toEqual([
      { type: 'json', value: { hot: true } },
      { type: 'error-text', value: 'no' },
    ]);
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
    const { items, report } = await list(
      ui('user', [{ type: 'text', text: 'x' }]),
      ui('assistant', [...parts, { type: 'tool-stir', toolCallId: 'half', state: 'input-streaming', input: { a: 1 } }], { id: 'v' }),
    );
    expect(items.flatMap((item) => (item.kind === 'result' ? [[item.made, item.part.output.value]] : []))).toEqual(
      states.map(([, said]) => said),
    );
    expect(report.skipped).toEqual([{ index: 1, reason: 'incomplete-call', detail: 'half' }]);
    expect(report.notes).toEqual([{ index: 1, reason: 'preliminary' }]);
    expect(report).toMatchObject({ toolCalls: 7, callsWithoutResult: 3, read: 2 });
  });

  it('keeps a tool of the provider in its message', async () => {
    const { items } = await list(
      ui('assistant', [
        { type: 'tool-search', toolCallId: 'a', state: 'output-available', input: {}, output: 'x', providerExecuted: true },
        { type: 'text', text: 'y' },
      ]),
    );
    expect(items).toMatchObject([
      { kind: 'assistant', message: { content: [{ providerExecuted: true }, { type: 'tool-result' }, { text: 'y' }] } },
    ]);
  });

  it('reads v4 messages of both kinds', async () => {
    const reading = await list(...olderMessages);
    expect(outputs(reading)).toEqual([
      { type: 'text', value: 'A' },
      { type: 'json', value: { ok: 1 } },
      { type: 'error-text', value: 'No result was recorded for this call.' },
      { type: 'text', value: 'E' },
      { type: 'error-text', value: 'bad' },
      { type: 'content', value: [{ type: 'image-data', data: 'CC', mediaType: 'image/png' }] },
    ]);
    expect(reading.items.map((item) => item.kind)).toEqual([
      'user',
      'assistant',
      'result',
      'assistant',
      'result',
      'result',
      'assistant',
      'hidden',
      'assistant',
      'result',
      'assistant',
      'result',
      'assistant',
      'result',
    ]);
    expect(text(reading.items[6])).toBe('<reasoning>All done.');
    expect(reading.items[8]).toMatchObject({
      message: {
        content: [{ text: 'So.' }, { format: 'thinking' }, { format: 'redacted_thinking' }, { type: 'tool-call' }, { type: 'file' }],
      },
    });
    expect(reading.report).toMatchObject({ records: 8, images: 3, hidden: 1 });
    expect(reading.report.skipped.map((one) => one.reason)).toEqual(['incomplete-call']);
  });

  it('notes repeated ids, and drops a message that was stored again with more', async () => {
    const t = (said: string, extra: object = {}): unknown => ({ type: 'text', text: said, ...extra });
    const { items, report } = await list(
      ui('user', [t('a')], { id: 'x' }),
      ui('assistant', [t('one', { state: 'streaming' }), { type: 'tool-stir', toolCallId: 'c', state: 'input-available', input: {} }], {
        id: 'y',
      }),
      ui(
        'assistant',
        [t('one', { state: 'done' }), { type: 'tool-stir', toolCallId: 'c', state: 'output-available', input: {}, output: 'r' }, t('two')],
        { id: 'y' },
      ),
      ui('user', [t('b')], { id: 'x' }),
      ui('assistant', [t('other')], { id: 'x' }),
    );
    expect(report.skipped).toEqual([{ index: 1, reason: 'superseded' }]);
    expect(report.notes).toEqual([
      { index: 3, reason: 'id-repeated' },
      { index: 4, reason: 'id-repeated' },
    ]);
    expect(userTexts(items)).toEqual(['a', 'b']);
    expect(report).toMatchObject({ toolCalls: 1, toolResults: 1, assistant: 2 });
  });

  it('keeps messages of one id in two roles, whatever they hold', async () => {
    const parts = [{ type: 'text', text: 'same' }];
    const { report } = await list(ui('user', parts), ui('assistant', parts));
    expect(report).toMatchObject({ userInput: 1, assistant: 1, skippedRecords: 0, notes: [{ index: 1, reason: 'id-repeated' }] });
  });

  it('reads no usage out of metadata', async () => {
    const { report } = await list(ui('assistant', [{ type: 'text', text: 'x' }], { metadata: { usage: { inputTokens: 5 } } }));
    expect(report.usage.calls).toBe(0);
  });

  it('tells users without parts, with data alone, and older messages beside newer ones', async () => {
    const { items, report } = await list(
      ui('user', []),
      ui('user', [{ type: 'data-x', data: 1 }]),
      { id: 'q', role: 'user', content: 'old' },
      ui('user', [{ type: 'text', text: 'new' }], { id: 'r' }),
      ui('assistant', [], { id: 's' }),
      ui('system', [{ type: 'text', text: 'late' }], { id: 't' }),
    );
    expect(userTexts(items)).toEqual(['old', 'new', 'late']);
    expect(report).toMatchObject({ hidden: 2, assistantEmpty: 1, skippedRecords: 1, notice: 1 });
    expect(report.skipped).toEqual([{ index: 0, reason: 'empty-user' }]);
  });
});
