import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../../test/building.ts';
import { userTexts } from '../../test/reading.ts';
import { chatMessages } from '../../test/synthetic.ts';

afterAll(() => {
  scratch.remove();
});

describe('chat documents', () => {
  const tau = [{ task_id: 0, trial: 1, traj: chatMessages() }, 'odd', { task_id: 2, traj: [{ role: 'user', content: 'two' }, null] }];
  it('reads many sessions, parsed whole or streamed', async () => {
    const content = JSON.stringify(tau, null, 1);
    const whole = await read(content);
    expect(whole.sessions.map(({ id, report }) => [id, report.records])).toEqual([
      ['task-0-trial-1', 10],
      [null, 0],
      ['task-2', 2],
    ]);
    expect(whole.sessions[1]?.report.skipped).toMatchObject([{ detail: 'no session' }]);
    expect(whole.sessions[2]?.report.skipped).toMatchObject([{ index: 1, reason: 'malformed' }]);
    expect(await read(content, { documentLimitBytes: 0 })).toEqual(whole);
  });

  it("reads a body's tools and the response beside it", async () => {
    const body = {
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }],
      response: {
        choices: [{ finish_reason: 'length', message: { role: 'assistant', content: 'y' } }],
        usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
      },
    };
    for (const documentLimitBytes of [0, 1e6]) {
      const { items, tools, report } = await one(JSON.stringify(body), { documentLimitBytes });
      expect(tools).toEqual([{ name: 'f', description: 'd', inputSchema: { type: 'object' } }]);
      expect(items[1]).toMatchObject({ kind: 'assistant', line: 1, finish: 'length', usage: { input: 5, cacheRead: 4, output: 2 } });
      expect(report).toMatchObject({ records: 2, read: 2, usage: { calls: 1 } });
    }
  });

  it('reads bodies line by line and lists what stands between', async () => {
    const { sessions } = await read(
      lines(
        { messages: [{ role: 'user', content: 'a' }] },
        '{"messages":[',
        { messages: [{ role: 'user', content: 'b' }] },
        { messages: [{ role: 'user', content: 'c' }] },
      ),
    );
    expect(sessions.map(({ items, report }) => [userTexts(items).join(), report.skipped.length])).toEqual([
      ['a', 1],
      ['b', 0],
      ['c', 0],
    ]);
  });

  it('skips an element above the limit by its index', async () => {
    const content = JSON.stringify([
      { role: 'user', content: 'x'.repeat(500) },
      { role: 'user', content: 'short' },
    ]);
    const { items, report } = await one(content, { documentLimitBytes: 0, lineLimitBytes: 100 });
    expect(userTexts(items)).toEqual(['short']);
    expect(report).toMatchObject({ records: 2, skippedRecords: 1, skipped: [{ index: 0, reason: 'malformed' }] });
  });

  it('reads later system text as a notice and pairs legacy calls by name', async () => {
    const call = (name: string): unknown => ({ role: 'assistant', content: null, function_call: { name, arguments: '{}' } });
    const { items, system, report } = await one(
      JSON.stringify([
        { role: 'system', content: 'a' },
        { role: 'developer', content: 'b' },
        call('f'),
        call('g'),
        { role: 'function', name: 'f', content: 'F' },
        { role: 'function', name: 'g', content: 'G' },
        { role: 'function', name: 'h', content: 'H' },
        { role: 'system', content: 'later' },
      ]),
    );
    expect(system).toBe('a\n\nb');
    expect(items.flatMap((item) => (item.kind === 'result' ? [item.part.output.value] : []))).toEqual(['F', 'G']);
    expect(items.at(-1)).toMatchObject({ kind: 'user', origin: 'notice' });
    expect(report.resultsWithoutCall).toBe(1);
  });

  it('tells the texts of mini-swe-agent', async () => {
    const messages = [
      { role: 'user', content: 'task' },
      { role: 'user', content: 'Tool call error', extra: {} },
      { role: 'user', content: 'out', extra: { returncode: 0 } },
      { role: 'exit', content: 'diff' },
      { role: 'user', content: '', extra: { exit_status: 'Submitted' } },
    ];
    const { items, report } = await one(JSON.stringify({ trajectory_format: 'mini-swe-agent-1.1', info: {}, instance_id: 'i1', messages }));
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual([
      'user_input',
      'notice',
      'observation',
      'hidden',
      'hidden',
    ]);
    expect(report).toMatchObject({ notice: 3, userInputBy: { task: 1 } });
  });

  it('keeps signed reasoning details beside the readable text', async () => {
    const detail = { type: 'reasoning.encrypted', data: 'zz', format: 'anthropic-claude-v1' };
    const { items, report } = await one(
      JSON.stringify([
        { role: 'user', content: 'x' },
        { role: 'assistant', content: 'y', reasoning: 'why', reasoning_details: [detail] },
      ]),
    );
    expect(items[1]).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 'why' },
          { type: 'opaque', provider: 'anthropic', format: 'reasoning.encrypted', bytes: JSON.stringify(detail) },
          { type: 'text', text: 'y' },
        ],
      },
    });
    expect(report).toMatchObject({ thinking: 1, thinkingSigned: 1 });
  });
});
