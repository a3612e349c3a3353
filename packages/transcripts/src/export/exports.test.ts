import fc from 'fast-check';
import type { Body, Entry, Json } from '@palimpsest/contracts';
import { afterAll, describe, expect, it } from 'vitest';
import { codexRecords } from '../../test/codex-records.ts';
import { lines, one, read, scratch } from '../../test/building.ts';
import { answered, anyKept, called, each, joined, path, replied, said } from '../../test/own-sessions.ts';
import { userTexts } from '../../test/reading.ts';
import { exportAnthropic, exportChat, exportMarkdown, exportModelMessages, type ExportOptions } from '../index.ts';

afterAll(() => {
  scratch.remove();
});
type Message = { readonly role: string; readonly content: unknown; readonly tool_calls?: unknown[]; readonly tool_call_id?: string };
type Block = {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly toolCallId?: string;
};
const parsed = async (chunks: AsyncIterable<string>): Promise<unknown> => JSON.parse(await joined(chunks)) as unknown;
const chat = async (entries: readonly Entry[], options?: ExportOptions): Promise<Message[]> =>
  (await parsed(exportChat(entries, options))) as Message[];
const anthropic = async (
  entries: readonly Entry[],
  options?: Parameters<typeof exportAnthropic>[1],
): Promise<{ messages: Message[]; tools?: { name: string }[] }> =>
  (await parsed(exportAnthropic(each(entries), options))) as { messages: Message[] };
const sdk = async (entries: readonly Entry[], options?: ExportOptions): Promise<Message[]> =>
  (await parsed(exportModelMessages(entries, options))) as Message[];

const long = `call|${'x'.repeat(450)}`;
const shared = path(
  said('Old instructions.', 'notice'),
  said('List the \0pots \ud800.'),
  { kind: 'custom', by: 'p', key: 'k', data: null, shown: 'Never exported.' },
  replied(
    { type: 'reasoning', text: 'Secret thoughts.' },
    { type: 'opaque', provider: 'anthropic', format: 'thinking', bytes: '{"signature":"c2ln"}' },
    { type: 'text', text: 'Looking.', providerOptions: { pi: { textSignature: 'c2ln' } } },
    called('c|1', { path: 'key-123' }),
    called('c|1', '{"cut":'),
    called(long),
  ),
  answered('c|1', 'key-123 pot'),
  answered('c|1', ''),
  answered('c|1', 'thrice'),
  said('In between.', 'observation'),
  answered(long, 'too late'),
  { ...said('A hidden summary.', 'handoff'), hidden: true } as Body,
  replied({ type: 'opaque', provider: 'p', format: 'f', bytes: '{}' }),
  replied({ type: 'text', text: ' ' }),
  said('  '),
  replied(called('c|1')),
);
const noResult = 'No result was recorded for this call.';

/** A result with pictures. */
const pictures: Body = {
  kind: 'message',
  origin: 'tool',
  message: {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: ' ' },
            { type: 'image-data', data: 'BBBB', mediaType: 'image/png' },
            { type: 'image-data', data: 'CC', mediaType: 'image/x-odd' },
          ],
        },
      },
    ],
  },
};

describe('what leaves', () => {
  it('as chat messages', async () => {
    const call = (id: string, args: string): object => ({ id, type: 'function', function: { name: 'read', arguments: args } });
    const cut = long.replace('|', '_').slice(0, 64);
    expect(await chat(shared)).toEqual([
      { role: 'user', content: 'Old instructions.' },
      { role: 'user', content: 'List the pots \ufffd.' },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [call('c_1', '{"path":"key-123"}'), call('c_1_2', '{"_raw":"{\\"cut\\":"}'), call(cut, '{"path":"x"}')],
      },
      { role: 'tool', tool_call_id: 'c_1', content: 'key-123 pot' },
      { role: 'tool', tool_call_id: 'c_1_2', content: '(no output)' },
      { role: 'tool', tool_call_id: cut, content: noResult },
      { role: 'user', content: 'In between.' },
      { role: 'assistant', content: null, tool_calls: [call('c_1_3', '{"path":"x"}')] },
      { role: 'tool', tool_call_id: 'c_1_3', content: noResult },
    ]);
  });

  it('as a Messages body', async () => {
    const body = await anthropic(shared, { model: 'm', maxTokens: 9 });
    expect(body).toMatchObject({ model: 'm', max_tokens: 9, tools: [{ name: 'read', input_schema: { type: 'object' } }] });
    expect(body.messages.map(({ role, content }) => [role, (content as Block[]).map(({ type }) => type).join()])).toEqual([
      ['user', 'text'],
      ['user', 'text'],
      ['assistant', 'text,tool_use,tool_use,tool_use'],
      ['user', 'tool_result,tool_result,tool_result'],
      ['user', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
    ]);
    expect(body.messages[3]?.content).toMatchObject([
      { content: 'key-123 pot' },
      { content: '(no output)' },
      { content: noResult, is_error: true },
    ]);
  });

  it('as model messages', async () => {
    const messages = await sdk(shared);
    expect(messages.map(({ role, content }) => [role, (content as Block[]).map(({ type }) => type).join()])).toEqual([
      ['user', 'text'],
      ['user', 'text'],
      ['assistant', 'reasoning,text,tool-call,tool-call,tool-call'],
      ['tool', 'tool-result,tool-result,tool-result'],
      ['user', 'text'],
      ['assistant', 'tool-call'],
      ['tool', 'tool-result'],
    ]);
    expect(JSON.stringify(messages)).not.toContain('c2ln');
  });

  it('as Markdown, with fences that hold', async () => {
    const fence = '```\ncode\n````';
    const text = await joined(
      exportMarkdown(
        path(
          said('Hi.'),
          replied({ type: 'reasoning', text: 'Hm.' }, called('a')),
          answered('a', fence),
          replied({ type: 'text', text: 'Done.' }),
          said('No.', 'notice'),
          said('More.'),
        ),
        { title: 'Pots\nand pans' },
      ),
    );
    expect(text).toBe(
      `# Pots and pans\n\n## Turn 1\n\nHi.\n\n### Assistant\n\n<details>\n<summary>Reasoning</summary>\n\n\`\`\`\nHm.\n\`\`\`\n\n</details>\n\n<details>\n<summary>Tool: read</summary>\n\n` +
        `\`\`\`json\n{\n  "path": "x"\n}\n\`\`\`\n\nResult:\n\n\`\`\`\`\`\n${fence}\n\`\`\`\`\`\n\n</details>\n\nDone.\n\n## Notice\n\nNo.\n\n## Turn 2\n\nMore.\n`,
    );
  });

  it('after redaction, also inside arguments and results', async () => {
    const redact = (text: string): string => text.replaceAll('key-123', '***');
    for (const write of [exportChat, exportAnthropic, exportModelMessages, exportMarkdown]) {
      const text = await joined(write(shared, { redact }));
      expect(text).not.toContain('key-123');
      expect(text.split('***').length).toBe(3);
      expect(await joined(write(shared))).toContain('key-123');
    }
  });

  it('with pictures and files in the forms that each takes', async () => {
    const entries = path(
      {
        kind: 'message',
        origin: 'user_input',
        message: {
          role: 'user',
          content: [
            { type: 'image', image: 'AAAA', mediaType: 'image/jpeg', providerOptions: { p: { a: 1 } } },
            { type: 'image', image: 'https://x/y.png' },
            { type: 'file', data: 'PDF', mediaType: 'application/pdf', filename: 'a.pdf' },
            { type: 'file', data: 'WAV', mediaType: 'audio/wav' },
          ],
        },
      },
      replied(called('a'), { type: 'file', data: 'PNG', mediaType: 'image/png' }),
      pictures,
    );
    expect((await chat(entries)).map(({ content }) => content)).toEqual([
      [
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://x/y.png' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,PDF' } },
        { type: 'input_audio', input_audio: { data: 'WAV', format: 'wav' } },
      ],
      '[file of type image/png]',
      '[image of type image/png]\n[image of type image/x-odd]',
    ]);
    expect((await anthropic(entries)).messages.map(({ content }) => content)).toEqual([
      [
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'PDF' }, title: 'a.pdf' },
        { type: 'text', text: '[file of type audio/wav]' },
      ],
      [
        { type: 'text', text: '[file of type image/png]' },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
      ],
      [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BBBB' } },
            { type: 'text', text: '[image of type image/x-odd]' },
          ],
        },
      ],
    ]);
    expect(JSON.stringify(await sdk(entries))).not.toContain('providerOptions');
  });

  it('as an empty list', async () => {
    expect([await joined(exportChat([])), await parsed(exportAnthropic([]))]).toEqual([
      '[]\n',
      { model: 'claude-sonnet-4-5', max_tokens: 4096, messages: [] },
    ]);
  });
});

describe('any path', () => {
  it('gives legal messages', async () => {
    await fc.assert(
      fc.asyncProperty(anyKept(), async ({ entries }) => {
        chatIsLegal(await chat(entries));
        const { messages, tools } = await anthropic(entries);
        anthropicIsLegal(messages, tools ?? []);
        expect((await sdk(entries)).every(({ content }) => (content as unknown[]).length > 0)).toBe(true);
        expect(await joined(exportMarkdown(entries))).toMatch(/^# Session\n/u);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

function chatIsLegal(messages: readonly Message[]): void {
  let open: string[] = [];
  const seen = new Set<string>();
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    if (role === 'tool') expect(open.shift()).toBe(id);
    else expect(open).toEqual([]);
    if (role === 'assistant') {
      expect(content === null ? calls?.length : content).toBeTruthy();
      open = ((calls ?? []) as { id: string; function: { arguments: string } }[]).map((call) => {
        expect(JSON.parse(call.function.arguments)).toBeTypeOf('object');
        expect(call.id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
        expect(seen.has(call.id)).toBe(false);
        seen.add(call.id);
        return call.id;
      });
    } else expect((content as string).length).toBeGreaterThan(0);
  }
  expect(open).toEqual([]);
}

function anthropicIsLegal(messages: readonly Message[], tools: readonly { name: string }[]): void {
  let open: unknown[] = [];
  for (const { role, content } of messages) {
    const blocks = content as (Block & { name?: string; input?: Json })[];
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) if (block.type === 'text') expect(block.text?.trim()).not.toBe('');
    if (open.length > 0) expect([role, blocks.map((block) => block.tool_use_id)]).toEqual(['user', open]);
    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    for (const block of blocks) if (block.type === 'tool_use') expect(tools.some(({ name }) => name === block.name)).toBe(true);
  }
  expect(open).toEqual([]);
}

describe('read again by this package', () => {
  const entries = path(
    said('List the pots.'),
    replied({ type: 'text', text: 'Looking.' }, called('a'), called('b', { deep: [1, null] })),
    answered('a', 'pot'),
    answered('b', 'pan'),
    replied({ type: 'text', text: 'Two.' }),
    said('Again.'),
    replied(called('a')),
    answered('a', 'pot'),
  );
  const counts = {
    userInput: 2,
    assistant: 3,
    toolCalls: 3,
    toolResults: 3,
    callsWithoutResult: 0,
    resultsWithoutCall: 0,
    messages: 8,
    skipped: [],
  };

  it.each([
    ['chat', exportChat, 'openai-chat'],
    ['a Messages body', exportAnthropic, 'anthropic'],
    ['model messages', exportModelMessages, 'ai-sdk'],
  ])('%s', async (_name, write, format) => {
    const { items, report } = await one(await joined(write(entries)));
    expect(report).toMatchObject({ format, ...counts });
    expect(userTexts(items)).toEqual(['List the pots.', 'Again.']);
    expect(items.flatMap((found) => (found.kind === 'assistant' ? found.message.content : []))).toMatchObject([
      { text: 'Looking.' },
      { toolCallId: 'a', input: { path: 'x' } },
      { toolCallId: 'b', input: { deep: [1, null] } },
      { text: 'Two.' },
      { toolCallId: 'a_2' },
    ]);
    expect(items.flatMap((found) => (found.kind === 'result' ? [found.part.output] : []))).toEqual([
      { type: 'text', value: 'pot' },
      { type: 'text', value: 'pan' },
      { type: 'text', value: 'pot' },
    ]);
  });

  it('a transcript of another tool, from hand to hand', async () => {
    const { sessions } = await read(lines(...codexRecords()));
    const taken = path(
      ...(sessions[0]?.items ?? []).flatMap((found): Body[] => {
        if (found.kind === 'user') return [{ kind: 'message', origin: found.origin, message: found.message }];
        if (found.kind === 'assistant') return [{ kind: 'message', origin: 'model', message: found.message }];
        if (found.kind === 'hidden') return [found.body];
        return [{ kind: 'message', origin: 'tool', message: { role: 'tool', content: [found.part] } }];
      }),
    );
    for (const write of [exportChat, exportAnthropic]) {
      const { report } = await one(await joined(write(taken)));
      expect(report).toMatchObject({ assistant: 4, toolCalls: 3, toolResults: 3, userInput: 5, skipped: [] });
    }
  });
});
