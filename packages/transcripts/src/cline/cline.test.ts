import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import { text, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const say = (said: string): object => ({ type: 'text', text: said });
const user = (...content: unknown[]): object => ({ role: 'user', content, ts: 1 });
const model = (...content: unknown[]): object => ({ role: 'assistant', content, ts: 2 });
const use = (id: string, input: unknown = {}): object => ({ type: 'tool_use', id, name: 'read_file', input });
const result = (id: string, content: unknown): object => ({ type: 'tool_result', tool_use_id: id, content });
const list = (...messages: unknown[]): Promise<SessionReading> => one(JSON.stringify(messages), { format: 'cline' });
const origins = ({ items }: SessionReading): unknown[] => items.flatMap((item) => (item.kind === 'user' ? [item.origin] : []));
const ENVIRONMENT = '<environment_details>\nopen tabs\n</environment_details>';

describe('Cline', () => {
  it('a message is a request when one of its blocks is, else observation, else notice', async () => {
    const messages: readonly (readonly [object, string])[] = [
      [user(say('<task>\nSoup.\n</task>'), say('# task_progress\n- [ ] x'), say(ENVIRONMENT)), 'user_input'],
      [user(say("[read_file for 'a'] Result:"), say('<answer> in a file'), say(ENVIRONMENT)), 'observation'],
      [user(say("[execute_command for 'ls'] Result:\n\nok"), say(ENVIRONMENT)), 'observation'],
      [
        user(say('[attempt_completion] Result:'), say('The user gave feedback:\n<feedback>\nmore salt\n</feedback>'), say(ENVIRONMENT)),
        'user_input',
      ],
      [user(say("[ask_followup_question for 'x'] Result:\n<answer>\nyes\n</answer>")), 'user_input'],
      [user(say('<feedback>\nno\n</feedback>')), 'user_input'],
      [user(say('<user_message>\nhi\n</user_message>')), 'user_input'],
      [user(say('<user_input mode="act">go</user_input>')), 'user_input'],
      [user(say('typed'), say(ENVIRONMENT)), 'user_input'],
      [user(say(ENVIRONMENT)), 'notice'],
      [user(say('<mode_notice>plan</mode_notice>')), 'notice'],
      [user(say('[ERROR] You did not use a tool in your previous response!'), say(ENVIRONMENT)), 'notice'],
      [user(say('[NOTE] Some previous conversation history has been removed.')), 'notice'],
      [user(say('[TASK RESUMPTION] This task was interrupted 2 days ago.'), say(ENVIRONMENT)), 'continuation'],
      [user(say('[TASK RESUMPTION] x'), say('<user_message>\ngo on\n</user_message>')), 'user_input'],
    ];
    const reading = await one(JSON.stringify(messages.map(([message]) => message)));
    expect(reading.report.format).toBe('cline');
    expect(origins(reading)).toEqual(messages.map(([, origin]) => origin));
  });

  it('hides summaries, in whatever way they are marked', async () => {
    const { report } = await list(
      user(say('<task>x</task>')),
      { ...model(say('They cooked.')), isSummary: true },
      { ...user(say('They cooked more.')), isSummary: true },
      user(say('This session is being continued from a previous conversation that ran out of context.')),
      { ...user(say('earlier messages were hidden')), isTruncationMarker: true },
      { ...user(say('replaced')), condenseParent: 'c' },
    );
    expect(report).toMatchObject({ handoff: 3, compactions: 3, userInput: 2, notice: 1, assistant: 0, hidden: 3 });
  });

  it('makes no calls of tags in the text, and pairs native ones', async () => {
    const xml = await list(
      user(say('<task>x</task>')),
      model(say('<read_file>\n<path>a</path>\n</read_file>')),
      user(say("[read_file for 'a'] Result:"), say('body')),
    );
    expect(xml.report).toMatchObject({ toolCalls: 0, observation: 1, assistant: 1 });
    expect(text(xml.items[2])).toBe("[read_file for 'a'] Result:body");
    const native = await list(
      user(say('<task>x</task>')),
      model(use('a'), use('b')),
      user(result('b', 'B'), result('a', [say('A')]), say(ENVIRONMENT)),
    );
    expect(native.items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual([
      'user_input',
      'assistant',
      'result',
      'result',
      'notice',
    ]);
    expect(native.report).toMatchObject({ toolCalls: 2, toolResults: 2 });
  });

  it('counts a repeated reading of a file as a reduction', async () => {
    const note = '[[NOTE] This file read has been removed to save space in the context window.]';
    const { report } = await list(
      user(say('<task>x</task>')),
      model(use('a')),
      user(result('a', [say(note)])),
      user(say("[read_file for 'a'] Result:"), say(note)),
    );
    expect(report).toMatchObject({ reductions: 2, toolResults: 1, observation: 1 });
  });

  it('reads everything of a file whose range was deleted elsewhere', async () => {
    const { report } = await list(user(say('<task>x</task>')), model(say('a')), user(say('b')), model(say('c')));
    expect(report).toMatchObject({ records: 4, read: 4 });
  });

  it('lists a call that was cut off', async () => {
    const { items, report } = await list(
      user(say('<task>x</task>')),
      model(say('Now.\n\n[Response interrupted by user]'), use('a', '{"path":'), use('b', '{"path":"x"}')),
    );
    expect(report.skipped).toEqual([{ index: 1, reason: 'incomplete-call', detail: 'a' }]);
    expect(items[1]).toMatchObject({ message: { content: [{ type: 'text' }, { toolCallId: 'b', input: { path: 'x' } }] } });
    expect(report).toMatchObject({ toolCalls: 1, callsWithoutResult: 1, read: 2 });
  });

  it('keeps unsigned thinking, images and each metric once', async () => {
    const detail = { type: 'reasoning.encrypted', data: 'eA', format: 'anthropic-claude-v1' };
    const { items, report } = await list(
      user(say('<task>x</task>'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }),
      {
        ...model({ type: 'thinking', thinking: 'Hm.', signature: '' }, say('y')),
        metrics: { tokens: { prompt: 5, completion: 6, cached: 7 } },
      },
      { ...model(say('z')), reasoning_details: [detail] },
    );
    expect(items[1]).toMatchObject({
      usage: { input: 5, output: 6, cacheRead: 7 },
      message: { content: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text' }] },
    });
    expect(items[2]).toMatchObject({
      message: { content: [{ text: 'z' }, { type: 'opaque', provider: 'anthropic', bytes: JSON.stringify(detail) }] },
    });
    expect(report).toMatchObject({ images: 1, thinking: 2, thinkingSigned: 0, usage: { calls: 1 } });
  });

  it('reads a session of the SDK', async () => {
    const { items, id, system, report } = await one(
      JSON.stringify({
        version: 1,
        sessionId: 's',
        origin: 'cli',
        agent: 'lead',
        system_prompt: 'Cook.',
        messages: [
          user(
            say('<user_input mode="act">x</user_input>'),
            { type: 'image', data: 'AA', mediaType: 'image/png' },
            { type: 'file', path: 'a.txt', content: 'body' },
            { type: 'media', data: 'BB', mediaType: 'audio/wav' },
          ),
          {
            ...model({ type: 'redacted_thinking', data: 'cmVk' }, use('a')),
            metrics: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, cost: 5 },
          },
          user({ ...result('a', 'A'), name: 'read_file' }),
          { role: 'pot', content: [] },
          { role: 'user', content: null },
        ],
      }),
    );
    expect([id, system]).toEqual(['s', 'Cook.']);
    expect(items[0]).toMatchObject({
      message: { content: [{ type: 'text' }, { type: 'image', image: 'AA' }, { text: 'body' }, { type: 'file', mediaType: 'audio/wav' }] },
    });
    expect(report).toMatchObject({
      usage: { calls: 1, input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      toolResults: 1,
      images: 1,
      thinkingSigned: 1,
    });
    expect(report.skipped.map((one) => one.reason)).toEqual(['unknown-role', 'malformed']);
  });
});
