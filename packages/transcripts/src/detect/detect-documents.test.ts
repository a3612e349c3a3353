import { afterAll, describe, expect, it } from 'vitest';
import { lines, read, scratch } from '../../test/building.ts';
import { readWhole } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const json = (value: unknown): string => JSON.stringify(value, null, 1);
const message = { role: 'user', content: 'x' };
const blocks = (...content: unknown[]): unknown => ({ role: 'user', content });
const openCodeMessage = { info: { id: 'msg_1', sessionID: 'ses_1', role: 'user' }, parts: [{ type: 'text', text: 'x' }] };
const hermesSession = { id: 's', source: 'cli', started_at: 1, messages: [message] };
const gooseMessage = { role: 'user', created: 1, content: [{ type: 'text', text: 'x' }] };

describe('formats by content', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['row 15, an OpenCode export', 'opencode', json({ info: { id: 'ses_1' }, messages: [openCodeMessage] })],
    ['row 16, a Hermes session', 'hermes', json(hermesSession)],
    ['row 16, Hermes sessions, one a line', 'hermes', lines(hermesSession, { ...hermesSession, id: 't' })],
    ['row 16, a list of Hermes sessions', 'hermes', json([hermesSession])],
    ['row 17, a Goose export', 'goose', json({ working_dir: '/x', conversation: [gooseMessage] })],
    ['row 17, legacy Goose lines', 'goose', lines({ working_dir: '/x', description: 'd' }, gooseMessage)],
    ['row 18, a Cline SDK session', 'cline', json({ version: 1, sessionId: 'a', origin: 'x', messages: [message] })],
    ['row 19, a Responses body', 'responses', json({ model: 'm', input: [message] })],
    ['row 19, with one text as input', 'responses', json({ instructions: 'i', input: 'x' })],
    ['row 19, a response by itself', 'responses', json({ object: 'response', status: 'completed', output: [] })],
    ['row 19, bodies one a line', 'responses', lines({ model: 'm', input: 'x' }, { model: 'm', input: 'y' })],
    ['row 20, an Anthropic body', 'anthropic', json({ model: 'm', max_tokens: 1, system: 'x', messages: [message] })],
    [
      'row 20, by its blocks',
      'anthropic',
      json({ max_tokens: 1, messages: [message, { role: 'assistant', content: [{ type: 'thinking' }] }] }),
    ],
    ['row 20, by its tools', 'anthropic', json({ max_tokens: 1, messages: [message], tools: [{ name: 't', input_schema: {} }] })],
    [
      'row 20, a log that begins plainly',
      'anthropic',
      lines({ max_tokens: 1, messages: [message] }, { max_tokens: 1, system: 's', messages: [message] }),
    ],
    ['row 20, a message by itself', 'anthropic', json({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'x' }] })],
    ['row 21, UI messages', 'ai-sdk', json([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] }])],
    ['row 21, UI messages of v4', 'ai-sdk', json([{ id: '1', role: 'assistant', content: '', toolInvocations: [] }])],
    ['row 22, model messages', 'ai-sdk', json([{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x' }] }])],
    ['row 22, a tool message with a list', 'ai-sdk', json([{ role: 'tool', content: [{ type: 'other' }] }])],
    ['row 23, Anthropic messages', 'anthropic', json([blocks({ type: 'tool_result', tool_use_id: 'x' })])],
    ['row 23, a Cline history by its task', 'cline', json([blocks({ type: 'text', text: '<task>\nx\n</task>' })])],
    ['row 23, a Cline history by its environment', 'cline', json([message, blocks({ type: 'text', text: '<environment_details>' })])],
    ['row 24, plain strings', 'openai-chat', json([message, { role: 'assistant', content: 'y' }])],
    ['row 24, a chat body with a limit', 'openai-chat', json({ model: 'm', max_tokens: 1, messages: [message] })],
    [
      'row 24, a call log',
      'openai-chat',
      json({ messages: [message], tools: [], kwargs: { max_tokens: 1 }, response: { choices: [] }, cost: 1 }),
    ],
  ];
  it.each(cases)('%s', async (_name, format, content) => {
    expect((await read(content)).format).toBe(format);
  });

  it('reads plain strings alike under each of the formats that they fit', async () => {
    const content = json([message, { role: 'assistant', content: 'y' }]);
    const readings = await Promise.all((['openai-chat', 'anthropic', 'ai-sdk'] as const).map((format) => read(content, { format })));
    const [first, ...others] = readings.map(({ sessions }) => sessions[0]?.items);
    expect(first).toHaveLength(2);
    for (const other of others) expect(other).toEqual(first);
  });

  it('knows a log by its first line, however long that is', async () => {
    const long = { max_tokens: 1, system: 's', messages: [{ role: 'user', content: 'x'.repeat(200_000) }] };
    const other = { ...long, messages: [message] };
    const { format, sessions } = await read(lines(long, other));
    expect(format).toBe('anthropic');
    expect(sessions).toHaveLength(2);
  });

  it.each([
    ['goose', json({ working_dir: '/x', conversation: [gooseMessage] }), 'index'],
    ['goose', lines({ working_dir: '/x' }, gooseMessage), 'line'],
    ['anthropic', json([message]), 'index'],
    ['cline', json([message]), 'index'],
    ['hermes', json({ messages: [message] }), 'index'],
    ['ai-sdk', json({ messages: [message] }), 'index'],
    ['responses', json([message]), 'index'],
    ['opencode', json({ messages: [openCodeMessage] }), 'index'],
  ] as const)('reads %s when it is forced', async (...[format, content]) => {
    const reading = await read(content, { format });
    expect(reading.format).toBe(format);
    expect(reading.sessions[0]?.report.userInput).toBe(1);
  });

  it.each([['hermes'], ['responses']] as const)('refuses %s when there is no list of it', async (format) => {
    await expect(readWhole(scratch.write('{"a":1}'), { format })).rejects.toMatchObject({ code: 'TRANSCRIPT_UNKNOWN_FORMAT' });
  });
});

describe('what is recognised and refused', () => {
  const database = (schema: string): string => `SQLite format 3\0${'\0'.repeat(100)}${schema}`;
  it.each([
    ['row 1, Hermes', database('CREATE TABLE messages (role, content, tool_calls)'), /Hermes.*hermes sessions export/u],
    ['row 2, Goose', database('CREATE TABLE messages (content_json TEXT)'), /Goose.*goose session export/u],
    ['row 3, OpenCode', database('CREATE TABLE IF NOT EXISTS `part` (data)'), /OpenCode.*opencode export/u],
    ['another database', database('CREATE TABLE pots (lid)'), /SQLite/u],
    ['Cline UI messages', json([{ ts: 1, type: 'ask', ask: 'tool' }]), /Cline UI/u],
    [
      'a Cline compaction state',
      json({ version: 1, sessionId: 'a', origin: 'x', source_message_count: 2, messages: [message] }),
      /compaction state/u,
    ],
    ['a log of prompts', json([{ sessionId: 'a', messageId: 0, message: 'x' }]), /prompts only/u],
    ['a stream of events', lines({ type: 'system', subtype: 'init', session_id: 'x' }, { type: 'assistant', message: {} }), /claude -p/u],
  ] as const)('%s', async (_name, content, said) => {
    await expect(readWhole(scratch.write(content))).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNSUPPORTED',
      message: expect.stringMatching(said) as string,
    });
  });
});
