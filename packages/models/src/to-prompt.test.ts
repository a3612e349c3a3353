import { isPalimpsestError } from '@palimpsest/contracts';
import type { Json, Message, ModelRequest, ToolOutput } from '@palimpsest/contracts';
import { describe, expect, it } from 'vitest';
import { opaqueOf } from './carriers.ts';
import { toPrompt } from './to-prompt.ts';

function request(messages: readonly Message[], change: Partial<ModelRequest> = {}): ModelRequest {
  return { route: 'openai-chat:replay/recorded', system: '', tools: [], messages, settings: {}, ...change };
}
function call(input: Json): Message {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input }] };
}
function result(output: ToolOutput): Message {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output }] };
}
const thinking = { type: 'thinking', thinking: 'so', signature: 'sig' } as const;

describe('toPrompt', () => {
  it('leaves out an empty system text and an empty tool list', () => {
    expect(toPrompt(request([]))).toEqual({ prompt: [] });
  });

  it.each([
    ['not json', { _raw: 'not json' }],
    [[1, 2], { _raw: '[1,2]' }],
    [7, { _raw: '7' }],
    [null, { _raw: 'null' }],
    [{ path: 'a' }, { path: 'a' }],
  ])('sends the arguments %j as the object %j', (input, sent) => {
    expect(toPrompt(request([call(input)])).prompt[0]?.content[0]).toMatchObject({ type: 'tool-call', input: sent });
  });

  it('never marks a call as executed by the provider, which would drop it', () => {
    const message: Message = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {}, providerExecuted: true }],
    };
    expect(toPrompt(request([message])).prompt[0]?.content[0]).not.toHaveProperty('providerExecuted');
  });

  it('puts a result that stands in an assistant message into a message of its own', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} },
        { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'x' } },
      ],
    };
    expect(toPrompt(request([message])).prompt.map(({ role }) => role)).toEqual(['assistant', 'tool']);
  });

  it('joins text outputs, and says where an image was on the wire that has none in results', () => {
    const output: ToolOutput = {
      type: 'content',
      value: [
        { type: 'text', text: 'a' },
        { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        { type: 'text', text: 'b' },
      ],
    };
    expect(toPrompt(request([result(output)])).prompt[0]?.content[0]).toMatchObject({
      output: { type: 'text', value: 'a\n[image: image/png]\nb' },
    });
    expect(toPrompt(request([result(output)]), 'anthropic').prompt[0]?.content[0]).toMatchObject({
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'text', text: 'b' },
        ],
      },
    });
  });

  it.each<ToolOutput>([
    { type: 'text', value: ' ' },
    { type: 'error-text', value: '' },
    { type: 'content', value: [] },
  ])('gives the blank result %j a text', (output) => {
    expect(toPrompt(request([result(output)])).prompt[0]?.content[0]).toMatchObject({ output: { value: '(no output)' } });
  });

  it('cleans text, arguments and their keys of NUL and lone surrogates', () => {
    const dirty = 'a\u0000\uD800b';
    const sent = JSON.stringify(
      toPrompt(request([{ role: 'user', content: [{ type: 'text', text: dirty }] }, call({ [dirty]: [dirty] })], { system: dirty })),
    );
    expect(sent).not.toMatch(/\\u0000|\\ud800/iu);
    expect(sent.match(/a\uFFFD\uFFFDb/gu)).toHaveLength(4);
  });

  it('sends signed thinking to its own provider, and to no other', () => {
    const message: Message = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'so' }, opaqueOf('anthropic', thinking), { type: 'text', text: 'done' }],
    };
    const own = toPrompt(request([message], { route: 'anthropic:anthropic/claude-haiku-4-5' }));
    expect(own.prompt[0]?.content).toEqual([
      { type: 'reasoning', text: 'so', providerOptions: { anthropic: { signature: 'sig' } } },
      { type: 'text', text: 'done' },
    ]);
    for (const route of ['anthropic:replay/recorded', 'openai-chat:anthropic/claude-haiku-4-5', 'openai-responses:openai/gpt-4.1']) {
      expect(toPrompt(request([message], { route })).prompt[0]?.content).toEqual([{ type: 'text', text: 'done' }]);
    }
  });

  it('drops a message that has nothing to send', () => {
    const empty: Message[] = [
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, opaqueOf('anthropic', thinking)] },
      { role: 'tool', content: [] },
      { role: 'user', content: [] },
    ];
    expect(toPrompt(request(empty, { route: 'anthropic:anthropic/claude-haiku-4-5' })).prompt).toEqual([]);
  });

  it('names a file that the wire does not take', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'file', data: 'AAAA', mediaType: 'text/csv', filename: 'a.csv' },
        { type: 'file', data: 'AAAA', mediaType: 'application/pdf' },
      ],
    };
    expect(toPrompt(request([message])).prompt[0]?.content).toMatchObject([
      { type: 'text', text: '[file: a.csv]' },
      { type: 'file', mediaType: 'application/pdf' },
    ]);
  });

  it('reads an image as base64, as a data URL and as a URL', () => {
    const images = ['AAAA', 'data:image/gif;base64,BBBB', 'https://example.org/a.png'].map((image) => ({ type: 'image' as const, image }));
    expect(toPrompt(request([{ role: 'user', content: images }])).prompt[0]?.content).toMatchObject([
      { mediaType: 'image/*', data: { type: 'data', data: 'AAAA' } },
      { mediaType: 'image/gif', data: { type: 'data', data: 'BBBB' } },
      { mediaType: 'image/*', data: { type: 'url', url: new URL('https://example.org/a.png') } },
    ]);
  });

  it('sends an output limit where the wire demands one, and never stores a conversation', () => {
    expect(toPrompt(request([]), 'anthropic').maxOutputTokens).toBe(8192);
    expect(toPrompt(request([], { settings: { maxOutputTokens: 5 } }), 'anthropic').maxOutputTokens).toBe(5);
    expect(toPrompt(request([]), 'openai-responses').providerOptions).toEqual({ openai: { store: false } });
  });

  it('refuses a tool schema that is no object', () => {
    const bad = request([], { tools: [{ name: 'x', description: '', inputSchema: 'string' }] });
    expect(() => toPrompt(bad)).toThrow(expect.toSatisfy((thrown) => isPalimpsestError(thrown, 'MODEL_REQUEST_INVALID')));
  });
});
