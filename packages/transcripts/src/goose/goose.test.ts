import { afterAll, describe, expect, it } from 'vitest';
import { lines, one, read, scratch } from '../../test/building.ts';
import { userTexts, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
const message = (role: string, content: unknown[], metadata?: object): unknown => ({
  role,
  created: 1,
  content,
  ...(metadata === undefined ? {} : { metadata }),
});
const say = (text: string): unknown => ({ type: 'text', text });
const ask = (
  id: string,
  toolCall: unknown = { status: 'success', value: { name: 'stir', arguments: { pot: id } } },
  type = 'toolRequest',
): unknown => ({ type, id, toolCall });
const answer = (id: string, toolResult: unknown): unknown => ({ type: 'toolResponse', id, toolResult });
const ok = (...content: unknown[]): unknown => ({ status: 'success', value: { content, isError: false } });
const exported = (...conversation: unknown[]): Promise<SessionReading> =>
  one(JSON.stringify({ id: '20260101_1', name: 'Soup', working_dir: '/kitchen', conversation }));
const blind = { userVisible: true, agentVisible: false };
const agentOnly = { userVisible: false, agentVisible: true };

const everyContent = [
  message('user', [say('Look.'), { type: 'image', data: 'AA', mimeType: 'image/png' }]),
  message('assistant', [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'thinking', thinking: 'open', signature: '' },
    { type: 'redactedThinking', data: 'cmVk' },
    say('Yes.'),
    { ...(ask('a') as object), thoughtSignature: 'dg' },
    ask('b', { status: 'error', error: 'bad arguments' }),
    ask('c', { status: 'success', value: { name: 'show', arguments: {} } }, 'frontendToolRequest'),
    ask('d'),
    ask('e'),
    { type: 'toolConfirmationRequest', id: 'q' },
  ]),
  message('user', [
    answer('a', ok(say('hot'), { type: 'image', data: 'BB', mimeType: 'image/jpeg' })),
    answer('b', { status: 'error', error: 'no such tool' }),
    answer('c', { status: 'success', value: [say('old'), { type: 'resource', resource: { uri: 'u', text: 'body' } }] }),
    answer('d', { status: 'success', value: { content: [say('failed')], isError: true } }),
  ]),
  message('assistant', [{ type: 'systemNotification', msg: 'x' }]),
  message('assistant', []),
  message('pot', [say('x')]),
  message('user', [{ type: 'riddle' }]),
  message('user', [say(' ')]),
];

describe('Goose', () => {
  it('reads every kind of content', async () => {
    const { items, id, title, report } = await exported(...everyContent);
    expect([id, title]).toEqual(['20260101_1', 'Soup']);
    expect(items[1]).toMatchObject({
      message: {
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'opaque', provider: 'anthropic', format: 'thinking', bytes: '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}' },
          { type: 'reasoning', text: 'open' },
          { type: 'opaque', format: 'redacted_thinking', bytes: '{"type":"redacted_thinking","data":"cmVk"}' },
          { text: 'Yes.' },
          { toolCallId: 'a', input: { pot: 'a' }, providerOptions: { google: { thoughtSignature: 'dg' } } },
          { toolCallId: 'b', toolName: 'unknown', input: 'bad arguments' },
          { toolCallId: 'c', toolName: 'show' },
          { toolCallId: 'd' },
          { toolCallId: 'e' },
        ],
      },
    });
    expect(items.flatMap((item) => (item.kind === 'result' ? [item.part.output] : []))).toEqual([
      {
        type: 'content',
        value: [
          { type: 'text', text: 'hot' },
          { type: 'image-data', data: 'BB', mediaType: 'image/jpeg' },
        ],
      },
      { type: 'error-text', value: 'no such tool' },
      { type: 'text', value: 'old\nbody' },
      { type: 'error-text', value: 'failed' },
      { type: 'error-text', value: 'No result was recorded for this call.' },
    ]);
    expect(report).toMatchObject({
      records: 8,
      userInput: 1,
      assistant: 1,
      assistantEmpty: 1,
      thinking: 3,
      thinkingSigned: 2,
      images: 2,
      usage: { calls: 0 },
    });
    expect(report.skipped.map((one) => [one.index, one.reason])).toEqual([
      [5, 'unknown-role'],
      [7, 'empty-user'],
    ]);
    expect(report.notes).toEqual([{ index: 6, reason: 'unknown-block' }]);
  });

  it('makes no user message of results alone', async () => {
    const { items, report } = await exported(
      message('user', [say('x')]),
      message('assistant', [ask('a')]),
      message('user', [answer('a', ok(say('y')))]),
      message('user', [say('thanks'), answer('lost', ok())]),
    );
    expect(userTexts(items)).toEqual(['x', 'thanks']);
    expect(report).toMatchObject({ userInput: 2, userInputBy: { typed: 1, 'with-result': 1 }, resultsWithoutCall: 1 });
  });

  it('reads what was compacted, and tells summary, order and notices of the client', async () => {
    const { items, report } = await exported(
      message('user', [say('first')], blind),
      message('assistant', [ask('a')], blind),
      message('user', [answer('a', ok(say('r')))], blind),
      message('assistant', [say('second')], blind),
      message('user', [say('They cooked.')], agentOnly),
      message('assistant', [say('I go on.')], agentOnly),
      message('user', [say('Go on.')], agentOnly),
      message('assistant', [say('third')]),
      message('user', [say('a hint')], agentOnly),
      message('user', [say('on the screen')], blind),
      message('assistant', [say('for the eyes')], blind),
      message('user', [say('last')]),
    );
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind === 'hidden' ? item.body.kind : item.kind))).toEqual([
      'user_input',
      'assistant',
      'result',
      'assistant',
      'compaction',
      'message',
      'message',
      'continuation',
      'assistant',
      'notice',
      'message',
      'message',
      'user_input',
    ]);
    expect(report).toMatchObject({
      compactions: 1,
      handoff: 1,
      continuation: 1,
      notice: 2,
      userInput: 2,
      assistant: 3,
      assistantHidden: 2,
      hidden: 4,
    });
  });

  it('hides what only the screen showed when no summary follows', async () => {
    const { report } = await exported(
      message('user', [say('x')]),
      message('user', [say('screen')], blind),
      message('user', [say('hint')], agentOnly),
    );
    expect(report).toMatchObject({ userInput: 1, notice: 2, hidden: 1, compactions: 0 });
  });

  it('counts one compaction per summary, also when a later one swallowed it, and the marks of old versions', async () => {
    const gone = { userVisible: false, agentVisible: false };
    const twice = await exported(
      message('user', [say('a')], blind),
      message('user', [say('sum 1')], gone),
      message('user', [say('go 1')], gone),
      message('assistant', [say('b')], blind),
      message('user', [say('sum 2')], agentOnly),
      message('user', [say('c')]),
    );
    expect(twice.report).toMatchObject({ compactions: 2, handoff: 2, continuation: 1, userInput: 2 });
    const old = await exported(
      message('user', [say('a')]),
      message('assistant', [{ type: 'conversationCompacted', msg: 'x' }]),
      message('assistant', [{ type: 'summarizationRequested', msg: 'y' }]),
    );
    expect(old.report).toMatchObject({ compactions: 2, hidden: 2, assistantEmpty: 0 });
  });

  it('reads no usage', async () => {
    const session = { working_dir: '/x', accumulated_total_tokens: 9, conversation: [message('user', [say('x')])] };
    expect((await one(JSON.stringify(session))).report.usage.calls).toBe(0);
  });

  it('reads legacy lines, torn ones and several sessions', async () => {
    const head = (description: string): unknown => ({ working_dir: '/kitchen', description, message_count: 2 });
    const { format, sessions } = await read(
      lines(
        head('One'),
        message('user', [say('a')]),
        '{"role":"user","created":1,"content":[{"ty',
        message('assistant', [say('b')]),
        head('Two'),
        message('user', [say('c')], blind),
        message('user', [say('sum')], agentOnly),
        { x: 1 },
      ),
    );
    expect(format).toBe('goose');
    expect(sessions.map(({ title, items, report }) => [title, userTexts(items), report.meta, report.compactions, report.skipped])).toEqual([
      ['One', ['a'], 1, 0, [{ line: 3, reason: 'torn' }]],
      ['Two', ['c'], 1, 1, [{ line: 8, reason: 'malformed', detail: 'no message' }]],
    ]);
  });
});
