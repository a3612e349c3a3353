import { afterAll, describe, expect, it } from 'vitest';
import { one, scratch } from '../../test/building.ts';
import { reasons, text, userTexts, type SessionReading } from '../../test/reading.ts';

afterAll(() => {
  scratch.remove();
});
let clock = 0;
interface Message {
  readonly info: Readonly<Record<string, unknown>>;
  readonly parts: readonly object[];
}
const message = (role: string, parts: object[], info: object = {}): Message => {
  const id = `msg_${String(++clock).padStart(4, '0')}`;
  return {
    info: { id, sessionID: 'ses_1', role, time: { created: clock, completed: clock }, ...info },
    parts: parts.map((part, at) => ({ id: `prt_${String(clock).padStart(4, '0')}${String(at).padStart(2, '0')}`, ...part })),
  };
};
const user = (...parts: object[]): Message => message('user', parts);
const model = (...parts: object[]): Message => message('assistant', parts);
const say = (said: string, extra: object = {}): object => ({ type: 'text', text: said, ...extra });
const tool = (callID: string, state: object): object => ({ type: 'tool', callID, tool: 'stir', state });
const done = (output: string, extra: object = {}): object => ({
  status: 'completed',
  input: { pot: 1 },
  output,
  title: 't',
  metadata: {},
  ...extra,
});
const finish = (input: number, output: number): object => ({
  type: 'step-finish',
  reason: 'stop',
  cost: 1,
  tokens: { input, output, reasoning: 1, cache: { read: 2, write: 3 } },
});
const exported = (messages: Message[], info: object = {}): string =>
  JSON.stringify({ info: { id: 'ses_1', title: 'Soup', ...info }, messages });
const reading = (messages: Message[], info: object = {}): Promise<SessionReading> => one(exported(messages, info));

const everyPart = (): Message[] => [
  message(
    'user',
    [
      say('Look.'),
      say('not for the model', { ignored: true }),
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA', filename: 'a.png' },
      { type: 'file', mime: 'application/pdf', url: 'file:///kitchen/b.pdf', filename: 'b.pdf' },
      { type: 'file', mime: 'text/plain', url: 'file:///kitchen/c.txt' },
      { type: 'file', mime: 'application/x-directory', url: 'file:///kitchen' },
      { type: 'agent', name: 'plan' },
      { type: 'subtask', prompt: 'p' },
    ],
    { system: 'Cook.' },
  ),
  model(
    { type: 'step-start' },
    { type: 'reasoning', text: 'Hm.', metadata: { anthropic: { signature: 'c2ln' } } },
    say('Now.'),
    tool('a', done('A')),
    finish(10, 20),
    { type: 'patch', hash: 'h', files: [] },
    { type: 'step-start' },
    tool('b', done('B', { attachments: [{ type: 'file', mime: 'image/png', url: 'data:image/png;base64,BB' }] })),
    { type: 'snapshot', snapshot: 's' },
    { type: 'retry', attempt: 1 },
    finish(30, 40),
  ),
  model(say('Done.')),
  message('pot', []),
  { info: 3, parts: [] } as unknown as Message,
];

describe('OpenCode exports', () => {
  it('reads every kind of part', async () => {
    const { items, id, title, system, report } = await reading(everyPart());
    expect([id, title, system]).toEqual(['ses_1', 'Soup', 'Cook.']);
    expect(items.map((item) => item.kind)).toEqual(['user', 'hidden', 'assistant', 'result', 'assistant', 'result', 'hidden', 'assistant']);
    expect(items[0]).toMatchObject({
      message: {
        content: [
          { text: 'Look.' },
          { type: 'image', image: 'AA', mediaType: 'image/png' },
          { type: 'file', data: 'file:///kitchen/b.pdf', filename: 'b.pdf' },
        ],
      },
    });
    expect(items[2]).toMatchObject({
      usage: { input: 10, output: 21, cacheRead: 2, cacheWrite: 3, reasoning: 1 },
      message: {
        content: [
          { type: 'reasoning' },
          { type: 'opaque', bytes: '{"type":"thinking","thinking":"Hm.","signature":"c2ln"}' },
          { text: 'Now.' },
          { toolCallId: 'a', input: { pot: 1 } },
        ],
      },
    });
    expect(items[5]).toMatchObject({ part: { output: { type: 'content', value: [{ text: 'B' }, { type: 'image-data', data: 'BB' }] } } });
    expect(report).toMatchObject({ records: 5, read: 3, assistant: 3, images: 2, usage: { calls: 2, input: 40, output: 62 } });
    expect(report.skipped.map((one) => [one.index, one.reason])).toEqual([
      [1, 'undo-data'],
      [1, 'undo-data'],
      [3, 'unknown-role'],
      [4, 'malformed'],
    ]);
  });

  it('puts messages and parts into their order', async () => {
    const [a, b, c] = [user(say('a')), model(say('one'), say('two')), user(say('c'))];
    const shuffled = exported([c, { ...b, parts: b.parts.toReversed() }, a]);
    const { items, report } = await one(shuffled);
    expect(items.map((item) => [item.line, text(item)])).toEqual([
      [2, 'a'],
      [1, 'onetwo'],
      [0, 'c'],
    ]);
    expect(report.notes).toEqual([]);
    const streamed = await one(shuffled, { documentLimitBytes: 0 });
    expect(streamed.items.map((item) => item.line)).toEqual([0, 1, 2]);
    expect(streamed.report.notes).toEqual([{ index: 0, reason: 'out-of-order' }]);
  });

  it('puts messages of one moment into the order of their ids', async () => {
    const at = { time: { created: 5, completed: 6 } };
    const [first, second] = [message('user', [say('a')], at), message('user', [say('b')], at)];
    expect(userTexts((await reading([second, first])).items)).toEqual(['a', 'b']);
  });

  it('tells made-up messages from parts beside typed text', async () => {
    const { items } = await reading([
      user(say('x'), say('file body', { synthetic: true })),
      user(say('reminder', { synthetic: true })),
      user({ type: 'compaction', auto: true }),
      message('assistant', [say('Summary.')], { summary: true }),
      user(say('Continue.', { synthetic: true })),
      model(say('y')),
    ]);
    expect(items.flatMap((item) => (item.kind === 'user' ? [[item.origin, text(item)]] : []))).toEqual([
      ['user_input', 'xfile body'],
      ['notice', 'reminder'],
      ['continuation', 'Continue.'],
    ]);
  });

  it('reads each state of a tool', async () => {
    const { items, report } = await reading([
      user(say('x')),
      model(
        tool('a', done('A', { time: { start: 1, end: 2, compacted: 3 } })),
        tool('b', { status: 'error', input: {}, error: 'no' }),
        tool('c', { status: 'error', input: {}, error: 'stopped', metadata: { interrupted: true, output: 'half' } }),
        tool('d', { status: 'error', input: {}, error: 'stopped', metadata: { interrupted: true } }),
        tool('e', { status: 'pending', input: {}, raw: '' }),
        tool('f', { status: 'running', input: { pot: 2 } }),
      ),
    ]);
    expect(items.flatMap((item) => (item.kind === 'result' ? [[item.made, item.part.output.type, item.part.output.value]] : []))).toEqual([
      [false, 'text', 'A'],
      [false, 'error-text', 'no'],
      [false, 'text', 'half'],
      [false, 'error-text', 'stopped'],
      [true, 'error-text', 'No result was recorded for this call.'],
      [true, 'error-text', 'No result was recorded for this call.'],
    ]);
    expect(report).toMatchObject({ reductions: 1, toolCalls: 6, callsWithoutResult: 2 });
  });

  it('counts a compaction that came to something, and none that failed', async () => {
    const { items, report } = await reading([
      user(say('x')),
      model(say('y')),
      user({ type: 'compaction', auto: false, tail_start_id: 'msg_9' }),
      message('assistant', [say('Too long.')], { summary: true, error: { name: 'ContextOverflowError' } }),
      user({ type: 'compaction', auto: true }),
      message('assistant', [say('Summary.')], { summary: true }),
      message('assistant', [say('Alone.')], { summary: true, finish: 'stop' }),
      message('assistant', [say('Half.')], { summary: true, time: { created: ++clock } }),
    ]);
    expect(report).toMatchObject({ compactions: 2, handoff: 2, assistant: 2, assistantHidden: 1 });
    expect(items.map((item) => (item.kind === 'hidden' ? item.body.kind : item.kind))).toEqual([
      'user',
      'assistant',
      'custom',
      'message',
      'custom',
      'compaction',
      'message',
      'compaction',
      'message',
      'assistant',
    ]);
  });

  it('hides a reply that failed, and reads one that was aborted with parts left', async () => {
    const { items, report } = await reading([
      user(say('x')),
      message('assistant', [say('half'), tool('a', done('A'))], { error: { name: 'APIError' } }),
      message('assistant', [say('stopped'), tool('b', { status: 'running', input: {} })], { error: { name: 'MessageAbortedError' } }),
      message('assistant', [{ type: 'step-start' }], { error: { name: 'MessageAbortedError' } }),
      message('assistant', [], { error: { name: 'APIError' } }),
    ]);
    expect(items.map((item) => (item.kind === 'hidden' ? item.body.kind : item.kind))).toEqual([
      'user',
      'message',
      'custom',
      'assistant',
      'result',
      'custom',
      'custom',
    ]);
    expect(items[3]).toMatchObject({ finish: 'other' });
    expect(report).toMatchObject({ assistant: 1, assistantHidden: 1, assistantEmpty: 2, toolCalls: 1, read: 2, hidden: 3 });
  });

  it('takes the tokens of a message only where no step has any', async () => {
    const tokens = { input: 7, output: 8, reasoning: 0, cache: { read: 0, write: 0 } };
    const { report } = await reading([
      user(say('x')),
      message('assistant', [{ type: 'step-start' }, say('a'), finish(1, 1), { type: 'step-start' }, say('b'), finish(2, 2)], { tokens }),
      message('assistant', [say('c')], { tokens }),
      message('assistant', [say('d')], { tokens: { input: 0, output: 0 } }),
    ]);
    expect(report.usage).toEqual({ calls: 3, input: 10, output: 13, cacheRead: 4, cacheWrite: 6 });
  });

  it('reads one session, whatever its parent', async () => {
    const session = await reading([user(say('x'))], { parentID: 'ses_0' });
    expect([session.id, session.report.userInput]).toEqual(['ses_1', 1]);
  });

  it('leaves out what was reverted', async () => {
    const [a, b, c, d] = [user(say('a')), model(say('b'), say('later'), tool('t', done('T'))), user(say('c')), model(say('d'))];
    const messages = [a, b, c, d];
    const whole = await reading(messages, { revert: { messageID: c.info['id'] } });
    expect(userTexts(whole.items)).toEqual(['a']);
    expect(reasons(whole.report)).toEqual([
      [2, 'rewound'],
      [3, 'rewound'],
    ]);
    expect(whole.report).toMatchObject({ toolCalls: 1, toolResults: 1 });
    const part = await reading(messages, { revert: { messageID: b.info['id'], partID: (b.parts[1] as { id: string }).id } });
    expect(part.items.map(text)).toEqual(['a', 'b']);
    expect(reasons(part.report)).toEqual([
      [1, 'rewound'],
      [2, 'rewound'],
      [3, 'rewound'],
    ]);
    const streamed = await one(exported(messages, { revert: { messageID: c.info['id'] } }), { documentLimitBytes: 0 });
    expect(streamed).toEqual(whole);
  });
});
