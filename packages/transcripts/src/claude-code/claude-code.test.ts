import { afterAll, describe, expect, it } from 'vitest';
import { claude, lines, one, part, result, scratch, use, user } from '../../test/building.ts';
import { text, userTexts } from '../../test/reading.ts';
import { claudeLines } from '../../test/synthetic.ts';

afterAll(() => {
  scratch.remove();
});

describe('claude-code', () => {
  it("merges first: a result recorded before its call's part, parallel calls answered in another order", async () => {
    const { items, report } = await one(
      lines(
        user('go'),
        part('m', use('a')),
        result('b', 'B'),
        result('a', 'A', { is_error: true }),
        user('typed'),
        part('m', use('b'), { type: 'text', text: ' \n' }),
      ),
    );
    expect(items.map((item) => (item.kind === 'result' ? `${item.part.toolCallId}:${item.part.output.type}` : item.kind))).toEqual([
      'user',
      'assistant',
      'a:error-text',
      'b:text',
      'user',
    ]);
    expect(report).toMatchObject({ toolResults: 2, skipped: [] });
  });

  it('answers an id that is used again', async () => {
    const { report } = await one(lines(part('m1', use('a')), part('m2', use('a')), result('a', 'x'), result('a', 'y'), result('z', 'w')));
    expect(report).toMatchObject({ toolCalls: 2, toolResults: 1, callsWithoutResult: 1, resultsWithoutCall: 1 });
    expect(report.skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'duplicate-result'],
      [5, 'result-without-call'],
    ]);
  });

  it('keeps a record that only partly fails: a repeated result among others', async () => {
    const { report } = await one(
      lines(
        part('m', use('a'), use('b')),
        result('a', 'x'),
        user([
          { type: 'tool_result', tool_use_id: 'a', content: 'again' },
          { type: 'tool_result', tool_use_id: 'b', content: 'y' },
        ]),
      ),
    );
    expect(report).toMatchObject({
      records: 3,
      read: 3,
      skippedRecords: 0,
      toolResults: 2,
      skipped: [{ line: 3, reason: 'duplicate-result' }],
    });
  });

  it('reads side chains when there is nothing else', async () => {
    const side = { isSidechain: true };
    const content = [
      user('task', side),
      claude('assistant', { message: { id: 'm', role: 'assistant', content: [use('a')] } }, side),
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }], side),
    ];
    expect((await one(lines(...content))).report).toMatchObject({ userInput: 1, assistant: 1, toolResults: 1, skippedRecords: 0 });
    const progress = claude('progress', { data: {} }, side);
    expect((await one(lines(...content, progress, user('main')))).report.skipped.map(({ reason }) => reason).at(-1)).toBe('progress');
    expect((await one(lines(...content, user('main')))).report).toMatchObject({ userInput: 1, assistant: 0, skippedRecords: 3 });
  });

  it('tells texts, attachments and titles', async () => {
    const attachment = (body: object, extra: object = {}): unknown => claude('attachment', { attachment: body }, extra);
    const { items, report, title } = await one(
      lines(
        user('This session is being continued from a previous conversation that ran out.'),
        user('<task-notification>x'),
        user('+ typed'),
        user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }]),
        user('Do the plan', { planContent: 'p' }),
        attachment({ type: 'queued_command', prompt: 'ran', commandMode: 'task-notification' }),
        attachment({ type: 'file', content: 'whole file' }, { rendered: 'as seen' }),
        attachment({ type: 'todo_reminder' }),
        claude('system', { subtype: 'microcompact_boundary', microcompactMetadata: { trigger: 'auto' } }),
        claude('system', { subtype: 'new_thing' }),
        user([]),
        user([
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
          { type: 'text', text: 'read it' },
        ]),
        { type: 'custom-title', customTitle: 'Mine', sessionId: 's' },
        { type: 'ai-title', aiTitle: 'Its', sessionId: 's' },
      ),
    );
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual([
      'hidden',
      'observation',
      'user_input',
      'user_input',
      'user_input',
      'observation',
      'notice',
      'hidden',
      'hidden',
      'user_input',
    ]);
    expect(text(items[6])).toBe('as seen');
    expect(report).toMatchObject({ handoff: 1, reductions: 1, images: 1, meta: 2, userInputBy: { typed: 2, image: 1, plan: 1 } });
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['ui-only', 'empty-user']);
    expect(title).toBe('Mine');
  });

  it('leaves a rewound arm out with tree only', async () => {
    const linked = (uuid: string, parentUuid: string | null, value: unknown): unknown => ({ ...(value as object), uuid, parentUuid });
    const content = lines(
      linked('a', null, user('root')),
      linked('b', 'a', part('m1', use('t'))),
      linked('c', 'b', result('t', 'ok')),
      linked('d', 'c', user('left')),
      linked('e', 'd', part('m2', { type: 'text', text: 'lost' })),
      linked('f', 'c', user('kept')),
    );
    expect(userTexts((await one(content)).items)).toEqual(['root', 'left', 'kept']);
    const tree = await one(content, { tree: true });
    expect(userTexts(tree.items)).toEqual(['root', 'kept']);
    expect(tree.report.skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'rewound'],
      [5, 'rewound'],
    ]);
    expect(tree.report.toolResults).toBe(1);
  });

  it('cuts signed blocks out byte for byte and keeps unknown ones', async () => {
    const raw = '{ "type":"thinking", "signature":"s\\u0041", "thinking":"t", "n":1.0 }';
    const { items, report } = await one(
      lines(
        `{"type":"assistant","uuid":"q","parentUuid":null,"message":{"id":"m","role":"assistant","content":[${raw},{"type":"redacted_thinking","data":"zz"},{"type":"server_tool_use","id":"k"}]}}`,
      ),
    );
    expect(items[0]).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 't' },
          { format: 'thinking', bytes: raw },
          { format: 'redacted_thinking' },
          { format: 'server_tool_use', bytes: '{"type":"server_tool_use","id":"k"}' },
        ],
      },
    });
    expect(report).toMatchObject({ thinking: 2, thinkingSigned: 2, notes: [{ line: 1, reason: 'unknown-block' }] });
  });

  it('hides a message that has no part left', async () => {
    const { items, report } = await one(
      lines(user('x'), part('m', { type: 'text', text: '\n' }), part('m', { type: 'thinking', thinking: '', signature: '' })),
    );
    expect(report).toMatchObject({ assistant: 0, assistantEmpty: 1, hidden: 2, read: 1 });
    expect(items[1]).toMatchObject({ kind: 'hidden', line: 2 });
  });

  it('makes schemas of all calls, fixed from the start', async () => {
    const { tools } = await one(claudeLines().join('\n'));
    expect(tools).toEqual([
      {
        name: 'Bash',
        description: 'Recorded tool Bash.',
        inputSchema: { type: 'object', properties: { command: { type: 'string' }, timeout: { type: 'number' } }, required: ['command'] },
      },
    ]);
  });
});
