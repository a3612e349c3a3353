import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import { readWhole, text, userTexts } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const file = (history: unknown[], more: object = {}): string =>
  JSON.stringify({ environment: 'main', history, info: {}, ...more }, null, 2);
const said = (role: string, content: unknown, more: object = {}): object => ({ role, content, agent: 'main', ...more });
const called = (id: string, args: string): object => ({ id, type: 'function', function: { name: 'bash', arguments: args } });

describe('a trajectory', () => {
  it('tells the task, what was shown as an example, and what came out', async () => {
    const { system, items, report } = await one(
      file([
        said('system', 'You fix.', { message_type: 'system_prompt' }),
        said('user', 'An example.', { is_demo: true }),
        said('user', [{ type: 'text', text: 'Fix it.', cache_control: { type: 'ephemeral' } }], { tags: ['x'] }),
        said('assistant', 'I look.\n```\nls\n```', { thought: 'I look.', action: 'ls' }),
        said('user', 'a.py\r\nb.py'),
        said('user', ' '),
        said('poet', 'x'),
        said('system', 'Late.'),
      ]),
    );
    expect(system).toBe('You fix.');
    expect(items.flatMap((found) => (found.kind === 'user' ? [found.origin] : []))).toEqual([
      'notice',
      'user_input',
      'observation',
      'notice',
    ]);
    expect(userTexts(items)).toEqual(['An example.', 'Fix it.', 'a.py\r\nb.py', 'Late.']);
    expect(report).toMatchObject({
      records: 8,
      read: 6,
      toolCalls: 0,
      userInputBy: { task: 1 },
      kinds: { 'user/demo': 1, user: 3, system: 2 },
    });
    expect(report.skipped.map(({ index, reason }) => [index, reason])).toEqual([
      [5, 'empty-user'],
      [6, 'unknown-role'],
    ]);
  });

  it('pairs repeated ids, lists of ids and arguments with a space before them', async () => {
    const { items, report } = await one(
      file([
        said('user', 'Fix it.'),
        said('assistant', 'One.', {
          tool_calls: [called('c', ' {"command":"ls"}')],
          thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }],
        }),
        said('tool', 'first', { tool_call_ids: ['c'] }),
        said('assistant', '', { tool_calls: [called('c', '{}'), called('d', '{}')] }),
        said('tool', 'both', { tool_call_ids: ['c', 'd'] }),
        said('tool', 'of none', { tool_call_ids: [] }),
        said('assistant', 'Open.', { tool_calls: [called('c', '{}')] }),
      ]),
    );
    expect(
      items.flatMap((found) => (found.kind === 'result' ? [[found.part.toolCallId, found.part.output.value, found.line]] : [])),
    ).toEqual([
      ['c', 'first', 2],
      ['c', 'both', 4],
      ['d', 'both', 4],
      ['c', 'No result was recorded for this call.', null],
    ]);
    expect(items[1]).toMatchObject({ message: { content: [{ type: 'reasoning' }, { type: 'opaque' }, {}, { input: { command: 'ls' } }] } });
    expect(report).toMatchObject({ toolCalls: 4, toolResults: 3, resultsWithoutCall: 1, thinking: 1, thinkingSigned: 1 });
  });

  it('takes no prompt from an example', async () => {
    const { system, report } = await one(
      file([said('system', 'Demo.', { is_demo: true }), said('system', 'You fix.'), said('user', 'Fix it.')]),
    );
    expect(system).toBe('You fix.');
    expect(report).toMatchObject({ notice: 1, userInput: 1 });
  });

  const steps = [
    { action: 'ls', observation: 'a.py', response: 'I look.', thought: 'I', query: [said('user', 'Fix it.')] },
    { action: 'exit', observation: '', response: '', thought: 'Done.', state: {} },
    { odd: 1 },
  ];

  it('is rebuilt from its steps where no history was saved', async () => {
    for (const more of [{}, { history: [] }]) {
      const { items, report } = await one(JSON.stringify({ trajectory: steps, ...more, info: {} }, null, 2));
      expect(items.map(text)).toEqual(['I look.', 'a.py', '']);
      expect(report).toMatchObject({ records: 3, assistant: 1, observation: 1, assistantEmpty: 1 });
    }
  });

  it('prefers the history, wherever it stands', async () => {
    const history = [said('user', 'Fix it.'), said('assistant', 'Yes.')];
    const path = scratch.write(JSON.stringify({ environment: 'main', trajectory: steps, history }));
    const whole = await readWhole(path);
    expect(whole.sessions[0]?.items.map(text)).toEqual(['Fix it.', 'Yes.']);
    expect(await readWhole(path, { documentLimitBytes: 0 })).toEqual(whole);
    const without = scratch.write(JSON.stringify({ environment: 'main', trajectory: steps }));
    expect(await readWhole(without, { documentLimitBytes: 0 })).toEqual(await readWhole(without));
  });
});
