import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import {
  answers,
  asks,
  calls,
  codexLines,
  codexRecords,
  event,
  item,
  meta,
  replies,
  says,
  thinks,
  tokens,
  turnContext,
  typed,
  wrapped,
} from '../../test/codex-records.ts';
import { lines, one, read, scratch, stamp } from '../../test/building.ts';
import { readWhole, reasons, text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const shape = (items: readonly { kind: string; line: number | null }[]): unknown[] => items.map(({ kind, line }) => [kind, line]);

describe('a rollout', () => {
  it('is read record by record', async () => {
    const { id, system, items, report } = await one(lines(...codexRecords()));
    expect([id, system]).toEqual(['thread', 'Be a cook.']);
    expect(shape(items)).toEqual([
      ['hidden', 2],
      ['user', 3],
      ['user', 6],
      ['assistant', 9],
      ['result', 14],
      ['result', 13],
      ['assistant', 16],
      ['user', 23],
      ['assistant', 25],
      ['result', null],
      ['hidden', 26],
      ['user', 27],
      ['hidden', 28],
      ['hidden', 28],
      ['user', 31],
      ['assistant', 33],
    ]);
    expect(items.flatMap((found) => (found.kind === 'user' ? [found.origin] : []))).toEqual([
      'notice',
      'user_input',
      'user_input',
      'notice',
      'user_input',
    ]);
    expect(report).toMatchObject({
      records: 34,
      userInput: 3,
      notice: 3,
      handoff: 1,
      assistant: 4,
      toolCalls: 3,
      toolResults: 2,
      callsWithoutResult: 1,
    });
    expect(report).toMatchObject({ thinking: 1, thinkingSigned: 1, compactions: 1, meta: 8, hidden: 3 });
    expect(report.usage).toEqual({ calls: 3, input: 18, cacheRead: 12, cacheWrite: 0, output: 9 });
    expect(reasons(report)).toEqual([
      [4, 'ui-only'],
      [7, 'superseded'],
      [8, 'superseded'],
      [15, 'ui-only'],
      [17, 'superseded'],
      [20, 'ui-only'],
      [21, 'ui-only'],
      [24, 'superseded'],
      [29, 'ui-only'],
      [32, 'superseded'],
    ]);
  });

  it('keeps encrypted reasoning byte for byte and arguments that are no JSON', async () => {
    const { items } = await one(lines(...codexRecords()));
    expect(items[3]).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: '**Looking**' },
          {
            type: 'opaque',
            provider: 'openai',
            format: 'reasoning',
            bytes: JSON.stringify(thinks('**Looking**', { encrypted_content: 'ZW5j' })),
          },
          { toolCallId: 'c1', toolName: 'shell', input: { command: ['ls'] } },
          { toolCallId: 'c2', input: '{"command":' },
        ],
      },
    });
    expect(items[6]).toMatchObject({ message: { content: [{ providerOptions: { openai: { phase: 'final_answer' } } }] } });
  });

  it('is read from zstd, one frame or one frame a line', async () => {
    const plain = await read(lines(...codexRecords()));
    const all = lines(...codexRecords());
    for (const bytes of [zstdCompressSync(all), Buffer.concat(codexLines().map((line) => zstdCompressSync(`${line}\n`)))]) {
      const packed = await readWhole(scratch.write(bytes));
      expect(packed.format).toBe('codex');
      expect(packed.sessions).toEqual(plain.sessions);
    }
  });
});

describe('the eras', () => {
  const bare = [says('user', '<user_instructions>x</user_instructions>'), says('user', 'Hi.'), thinks('hm'), says('assistant', 'Hello.')];
  const call = { type: 'function_call', id: 'f1', name: 'shell', arguments: '{}', call_id: 'c' };
  const output = { type: 'function_call_output', call_id: 'c', output: { content: 'failed', success: false } };

  it('first: one document', async () => {
    const document = { session: { id: 's', timestamp: stamp.timestamp, instructions: 'Be old.' }, items: [...bare, call, output] };
    const { id, system, items, report } = await one(JSON.stringify(document, null, 2));
    expect([id, system]).toEqual(['s', 'Be old.']);
    expect(shape(items)).toEqual([
      ['user', 0],
      ['user', 1],
      ['assistant', 2],
      ['result', 5],
    ]);
    expect(report.records).toBe(6);
    expect(items[3]).toMatchObject({ part: { output: { type: 'error-text', value: 'failed' } } });
  });

  it('second: bare items behind a header without type', async () => {
    const header = { id: 's', timestamp: stamp.timestamp, instructions: 'Be old.', git: {} };
    const { id, system, items, report } = await one(lines(header, { record_type: 'state' }, ...bare, { record_type: 'state' }, call));
    expect([id, system]).toEqual(['s', 'Be old.']);
    expect(userTexts(items)).toEqual(['<user_instructions>x</user_instructions>', 'Hi.']);
    expect(report).toMatchObject({ notice: 1, userInput: 1, assistant: 1, toolCalls: 1, callsWithoutResult: 1, meta: 1 });
    expect(reasons(report)).toEqual([
      [2, 'ui-only'],
      [7, 'ui-only'],
    ]);
  });

  it('third: envelopes with instructions', async () => {
    const { system } = await one(lines(meta('s', { instructions: 'Be third.' }), asks('Hi.'), typed('Hi.'), replies('Hello.')));
    expect(system).toBe('Be third.');
  });

  it('newest: flattened items, world state, items that were completed', async () => {
    const { items, report } = await one(
      lines(
        meta('s', { history_mode: 'paginated' }),
        wrapped('world_state', { a: 1 }),
        event('item_completed', { item: { type: 'UserMessage', id: 'i1', content: [{ type: 'text', text: 'Hi.' }] } }),
        event('item_completed', { item: { type: 'Reasoning', id: 'i2', summary_text: ['Hm.'] } }),
        event('item_completed', {
          item: { type: 'CommandExecution', id: 'i3', command: 'ls', aggregated_output: 'pot', exit_code: 0, status: 'completed' },
        }),
        event('item_completed', { item: { type: 'AgentMessage', id: 'i4', content: [{ type: 'Text', text: 'A pot.' }] } }),
        event('item_completed', { item: { type: 'ContextCompaction', id: 'i5' } }),
        { ...stamp, ...says('user', 'More.') },
        { ...stamp, ...says('assistant', 'No.') },
        event('item_completed', { item: { type: 'AgentMessage', id: 'i6', content: [{ type: 'Text', text: 'No.' }] } }),
        wrapped('inter_agent_communication', {}),
        wrapped('who_knows', {}),
      ),
    );
    expect(items.filter((one) => one.kind === 'user' || one.kind === 'assistant').map(text)).toEqual([
      'Hi.',
      '<reasoning><tool-call>',
      'A pot.',
      'More.',
      'No.',
    ]);
    expect(items.find((one) => one.kind === 'result')).toMatchObject({
      part: { toolName: 'shell', output: { value: 'pot' } },
      made: false,
    });
    expect(report).toMatchObject({ hidden: 2, meta: 1, thinking: 1 });
    expect(reasons(report)).toEqual([
      [7, 'ui-only'],
      [10, 'superseded'],
      [12, 'unknown-kind'],
    ]);
  });

  it('does not read what tools did twice', async () => {
    const done = event('item_completed', { item: { type: 'CommandExecution', id: 'other', command: 'ls', aggregated_output: 'pot' } });
    for (const mode of ['paginated', 'legacy']) {
      const { report } = await one(lines(meta('s', { history_mode: mode }), asks('Hi.'), calls('c'), done, answers('c', 'pot')));
      expect(report).toMatchObject({ toolCalls: 1, toolResults: 1 });
    }
  });
});

describe('whose words', () => {
  it.each([
    ['<environment_context>x', 'notice'],
    ['# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>', 'notice'],
    ['<skill>x', 'notice'],
    ['<collaboration_mode>x', 'notice'],
    ['<user_shell_command>ls', 'observation'],
    ['<subagent_notification>x', 'observation'],
    ['# Context from my IDE setup:\n\n## My request for Codex:\nfix it', 'user_input'],
    ['about <skill>', 'user_input'],
  ])('%s', async (said, origin) => {
    expect((await one(lines(meta('s'), asks(said)))).items).toMatchObject([{ kind: 'user', origin }]);
  });

  it('takes a marked text for typed when an event says so, of that kind', async () => {
    const { items } = await one(lines(meta('s'), asks('<skill> what is this?'), typed('<skill> what is this?')));
    expect(items).toMatchObject([{ origin: 'user_input' }]);
    const injected = event('user_message', { message: '<environment_context>', kind: 'environment_context' });
    expect((await one(lines(meta('s'), asks('<environment_context>'), injected))).items).toMatchObject([{ origin: 'notice' }]);
  });

  it('reads events that no item repeats, in their places', async () => {
    const { items, report } = await one(
      lines(
        meta('s'),
        turnContext(),
        event('user_message', { message: 'Look.', images: ['data:image/png;base64,AAAA'] }),
        event('agent_reasoning', { text: 'Hm.' }),
        event('agent_message', { message: 'Nice.' }),
        typed('Look.'),
        asks('Look.'),
        replies('Again.'),
        event('agent_message', { message: 'Again.' }),
      ),
    );
    expect(items.map((one) => text(one))).toEqual(['Look.<image>', '<reasoning>Nice.', 'Look.', 'Again.']);
    expect(report).toMatchObject({ userInput: 2, images: 1, thinking: 1 });
    expect(reasons(report)).toEqual([
      [6, 'superseded'],
      [9, 'superseded'],
    ]);
  });

  it('tells several texts of one item', async () => {
    const two = item({
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: '<image>' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_text', text: 'what is it' },
      ],
    });
    const { items, report } = await one(lines(meta('s'), two, typed('what is it')));
    expect(items).toMatchObject([
      { origin: 'user_input', message: { content: [{ type: 'text' }, { type: 'image', mediaType: 'image/png' }, { type: 'text' }] } },
    ]);
    expect(report.images).toBe(1);
  });
});

describe('messages and pairs', () => {
  it('ends a message at an output, a text of the user and a token count', async () => {
    const { items } = await one(
      lines(
        meta('s'),
        asks('Go.'),
        calls('a'),
        answers('a', '1'),
        calls('b'),
        tokens(1),
        calls('c'),
        asks('Stop.'),
        calls('d'),
        answers('d', '4'),
        answers('b', '2'),
      ),
    );
    expect(shape(items)).toEqual([
      ['user', 2],
      ['assistant', 3],
      ['result', 4],
      ['assistant', 5],
      ['result', 11],
      ['assistant', 7],
      ['result', null],
      ['user', 8],
      ['assistant', 9],
      ['result', 10],
    ]);
  });

  it('reads every kind of call, and what the provider ran itself', async () => {
    const { items, report } = await one(
      lines(
        meta('s'),
        asks('Go.'),
        item({ type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin' }),
        item({ type: 'local_shell_call', call_id: 'b', action: { type: 'exec', command: ['ls'] } }),
        item({ type: 'tool_search_call', call_id: 'c', arguments: { query: 'pots' } }),
        item({ type: 'function_call', call_id: 'd', name: 'read', namespace: 'mcp', arguments: '' }),
        item({ type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'pots' } }),
        item({ type: 'image_generation_call', id: 'ig', status: 'completed', result: 'AAAA', revised_prompt: 'a pot' }),
        item({ type: 'custom_tool_call_output', call_id: 'a', output: 'patched' }),
        item({ type: 'tool_search_output', call_id: 'c', tools: [{ name: 'x' }] }),
        answers('b', [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ]),
        answers('b', 'again'),
        answers('zzz', 'of nothing'),
      ),
    );
    expect(items[1]).toMatchObject({
      message: {
        content: [
          { toolName: 'apply_patch', input: '*** Begin' },
          { toolName: 'local_shell', input: { command: ['ls'] } },
          { toolName: 'tool_search', input: { query: 'pots' } },
          { toolName: 'read', input: {}, providerOptions: { openai: { namespace: 'mcp' } } },
          { toolCallId: 'ws', input: { query: 'pots' }, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'ws' },
          { toolCallId: 'ig', input: { revised_prompt: 'a pot' }, providerExecuted: true },
          { type: 'tool-result', output: { type: 'content', value: [{ type: 'image-data', data: 'AAAA', mediaType: 'image/png' }] } },
        ],
      },
    });
    expect(report).toMatchObject({ toolCalls: 6, toolResults: 5, callsWithoutResult: 1, images: 2, resultsWithoutCall: 1 });
    expect(reasons(report)).toEqual([
      [12, 'duplicate-result'],
      [13, 'result-without-call'],
    ]);
  });
});
