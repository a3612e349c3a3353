import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../../test/building.ts';
import { userTexts, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
let ids = 0;
const row = (role: string, content: unknown, extra: object = {}): object => ({
  id: ++ids,
  session_id: 's',
  role,
  content,
  timestamp: 1.5,
  ...extra,
});
const session = (messages: unknown[], extra: object = {}): object => ({
  id: 's',
  source: 'cli',
  started_at: 1,
  model: 'm',
  title: 'Soup',
  messages,
  ...extra,
});
const reading = (messages: unknown[], extra: object = {}): Promise<SessionReading> => one(JSON.stringify(session(messages, extra)));
const call = (id: string): object => ({ id, type: 'function', function: { name: 'stir', arguments: '{"pot":1}' } });
const SUMMARY = '[CONTEXT COMPACTION - REFERENCE ONLY] They cooked.';

describe('Hermes exports', () => {
  it('reads rows with their reasoning, calls and results', async () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };
    const detail = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
    const { items, id, title, system, report } = await reading(
      [
        row('system', 'Cook.'),
        row('user', 'x'),
        row('assistant', 'Now.', {
          tool_calls: JSON.stringify([call('a')]),
          reasoning: 'short',
          reasoning_content: 'Hm.',
          reasoning_details: JSON.stringify([detail]),
          finish_reason: 'tool_calls',
        }),
        row('tool', 'A', { tool_call_id: 'a', tool_name: 'stir' }),
        row('assistant', null, {
          tool_calls: [call('b')],
          codex_reasoning_items: JSON.stringify([item]),
          codex_message_items: [{ type: 'message', phase: 'commentary' }],
        }),
        row('tool', 'B', { tool_call_id: 'b' }),
        row('assistant', 'Done.', { finish_reason: 'length' }),
        row('session_meta', '{}'),
        row('user', ''),
      ],
      { system_prompt: 'Cook.' },
    );
    expect([id, title, system]).toEqual(['s', 'Soup', 'Cook.']);
    expect(items.flatMap((one) => (one.kind === 'assistant' ? [one.message.content] : []))).toMatchObject([
      [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'opaque', provider: 'anthropic', format: 'thinking', bytes: JSON.stringify(detail) },
        { text: 'Now.' },
        { toolCallId: 'a', input: { pot: 1 } },
      ],
      [
        { type: 'opaque', provider: 'openai', format: 'reasoning', bytes: JSON.stringify(item) },
        { type: 'opaque', format: 'message' },
        { toolCallId: 'b' },
      ],
      [{ text: 'Done.' }],
    ]);
    expect(items.at(-1)).toMatchObject({ finish: 'length' });
    expect(report).toMatchObject({ records: 9, read: 7, thinking: 2, thinkingSigned: 2, toolCalls: 2, toolResults: 2 });
    expect(report.skipped.map((one) => one.reason)).toEqual(['unknown-role', 'empty-user']);
  });

  it('reads overheard rows as notices and leaves out undone ones', async () => {
    const { items, report } = await reading([
      row('user', 'heard', { observed: 1, active: 1 }),
      row('user', 'undone', { active: 0, compacted: 0 }),
      row('user', 'replaced in place', { active: 0, compacted: 1 }),
      row('user', 'now', { active: 1, observed: 0 }),
    ]);
    expect(items.map((item) => (item.kind === 'user' ? item.origin : ''))).toEqual(['notice', 'user_input', 'user_input']);
    expect(report.skipped).toEqual([{ index: 1, reason: 'rewound' }]);
  });

  it('takes the prefix off content of several parts', async () => {
    const parts = JSON.stringify([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
    ]);
    const { items, report } = await reading([
      row('user', `\0json:${parts}`),
      row('user', `\u0001json:${parts}`),
      row('user', '\0json:{"half'),
    ]);
    expect(userTexts(items)).toEqual(['look<image>', 'look<image>', '\0json:{"half']);
    expect(report.images).toBe(2);
  });

  it('reads a compaction in place', async () => {
    const { items, report } = await reading([
      row('user', 'old', { active: 0, compacted: 1 }),
      row('assistant', 'ok', { active: 0, compacted: 1 }),
      row('user', 'They cooked.', { _compressed_summary: 1 }),
      row('user', 'old'),
      row('assistant', 'ok'),
    ]);
    expect(items.map((item) => item.kind)).toEqual(['user', 'assistant', 'hidden', 'hidden', 'user', 'assistant']);
    expect(report).toMatchObject({ compactions: 1, handoff: 1, userInput: 2, hidden: 1 });
  });

  it('drops the copied tail in a lineage, and nothing else', async () => {
    const tail = [row('user', 'c'), row('assistant', null, { tool_calls: [call('x')] }), row('tool', 'X', { tool_call_id: 'x' })];
    const copies = tail.map((one) => ({ ...one, id: ++ids, session_id: 't' }));
    const messages = [
      row('user', 'a'),
      row('assistant', 'b'),
      ...tail,
      row('user', SUMMARY, { session_id: 't' }),
      ...copies,
      row('assistant', 'd'),
      row('user', 'a'),
    ];
    const lineage = await reading(messages, {
      lineage_session_ids: ['s', 't'],
      segments: [{ id: 's', messages: [row('user', 'never read')] }],
    });
    expect(lineage.report.skipped).toEqual([6, 7, 8].map((index) => ({ index, reason: 'duplicate' })));
    expect(userTexts(lineage.items)).toEqual(['a', 'c', 'a']);
    expect(lineage.report).toMatchObject({ compactions: 1, toolCalls: 1, toolResults: 1, records: 11 });
    const alone = await reading(messages);
    expect(alone.report).toMatchObject({ userInput: 4, toolCalls: 2 });
  });

  it('tells prompts of the harness', async () => {
    const { report } = await reading([
      row('user', 'Review the conversation above and consider saving to memory if appropriate.'),
      row('user', 'Review the conversation above. Should a skill be written?'),
      row('user', 'Review my soup.'),
    ]);
    expect(report).toMatchObject({ notice: 2, userInput: 1 });
  });

  it('reads one session a line, and a list of them', async () => {
    const sessions = [session([row('user', 'a')]), session([row('user', 'b')], { id: 't' })];
    for (const content of [lines(...sessions), JSON.stringify(sessions)]) {
      const found = await read(content);
      expect(found.format).toBe('hermes');
      expect(found.sessions.map(({ id, items }) => [id, userTexts(items)])).toEqual([
        ['s', ['a']],
        ['t', ['b']],
      ]);
    }
  });

  it('reads no usage of messages', async () => {
    const { report } = await reading([row('user', 'x', { token_count: 5 }), row('assistant', 'y', { token_count: 9 })], {
      input_tokens: 7,
    });
    expect(report.usage.calls).toBe(0);
  });
});
