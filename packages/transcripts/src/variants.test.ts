import { afterAll, describe, expect, it } from 'vitest';
import { faultIn, readWhole, Scratch, text, userTexts, type Reading, type SessionReading } from '../test/reading.ts';
import { chatMessages, claudeLines, piLines } from '../test/synthetic.ts';
import type { ReadOptions } from './transcript.ts';

const scratch = new Scratch();
afterAll(() => { scratch.remove(); });
const lines = (...values: unknown[]): string => values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
const read = async (content: string, options: ReadOptions = {}): Promise<Reading> => {
  const reading = await readWhole(scratch.write(content), options);
  for (const session of reading.sessions) expect(faultIn(session)).toBeNull();
  return reading;
};
const one = async (content: string, options: ReadOptions = {}): Promise<SessionReading> => (await read(content, options)).sessions[0] as SessionReading;
const stamp = { timestamp: '2026-01-01T00:00:00.000Z' };
const pi = (id: string, parentId: string | null, message: unknown): unknown => ({ type: 'message', id, parentId, ...stamp, message });
const said = (content: unknown): unknown => ({ role: 'user', content });
const header = (id: string): unknown => ({ type: 'session', version: 3, id, ...stamp });
let uuids = 0;
const claude = (type: string, body: object, extra: object = {}): unknown => ({ type, uuid: `x${String(++uuids)}`, parentUuid: null, sessionId: 's', ...stamp, ...body, ...extra });
const user = (content: unknown, extra: object = {}): unknown => claude('user', { message: { role: 'user', content } }, extra);
const part = (id: string, ...content: unknown[]): unknown => claude('assistant', { message: { id, role: 'assistant', content } });
const use = (id: string): unknown => ({ type: 'tool_use', id, name: 'Bash', input: { id } });
const result = (id: string, content: unknown, extra: object = {}): unknown => user([{ type: 'tool_result', tool_use_id: id, content, ...extra }]);

describe('pi', () => {
  it('reads several sessions of one file, each from its own place', async () => {
    const { sessions } = await read(lines(header('a'), pi('1', null, said('one')), '{"torn', header('b'), pi('1', null, said('two')), header('c')));
    expect(sessions.map(({ id, items, report }) => [id, userTexts(items), report.records, report.skipped.length])).toEqual([['a', ['one'], 2, 1], ['b', ['two'], 2, 0], ['c', [], 1, 0]]);
  });

  it('reads two sessions glued on one line', async () => {
    const { sessions } = await read(lines(header('a'), JSON.stringify(pi('1', null, said('one'))) + JSON.stringify(header('b')) + JSON.stringify(pi('1', null, said('two')))));
    expect(sessions.map(({ items }) => userTexts(items))).toEqual([['one'], ['two']]);
  });

  it('keeps an id with other content, and follows the newest leaf with tree', async () => {
    const content = lines(header('a'), pi('1', null, said('root')), pi('2', '1', said('left')), pi('3', '1', said('kept')), pi('3', '1', said('other')), pi('4', '3', said('leaf')));
    const linear = await one(content);
    expect(userTexts(linear.items)).toEqual(['root', 'left', 'kept', 'other', 'leaf']);
    expect(linear.report.notes).toEqual([{ line: 5, reason: 'id-repeated' }]);
    const tree = await one(content, { tree: true });
    expect(userTexts(tree.items)).toEqual(['root', 'kept', 'other', 'leaf']);
    expect(tree.report.skipped).toEqual([{ line: 3, reason: 'rewound', detail: 'on a branch that was left' }]);
  });

  it('pairs within the followed branch only', async () => {
    const call = (id: string): unknown => ({ role: 'assistant', content: [{ type: 'toolCall', id, name: 't', arguments: {} }] });
    const answer = (value: string): unknown => ({ role: 'toolResult', toolCallId: 'a', content: value });
    const content = lines(header('a'), pi('1', null, call('a')), pi('2', '1', answer('left')), pi('3', '1', answer('kept')));
    expect((await one(content, { tree: true })).items.flatMap((item) => (item.kind === 'result' ? [item.part.output.value] : []))).toEqual(['kept']);
    expect((await one(content)).report.skipped).toMatchObject([{ line: 4, reason: 'duplicate-result' }]);
  });

  it('applies a patch that comes later', async () => {
    const { items, report } = await one(lines(header('a'), pi('1', null, said('wrong')), { type: 'entry_patch', id: '2', parentId: '1', targetId: '1', ...stamp, message: said('right') }));
    expect(userTexts(items)).toEqual(['right']);
    expect(report).toMatchObject({ read: 1, hidden: 1, meta: 1 });
  });

  it('keeps what has no place of its own: blobs, unknown blocks and roles, signatures', async () => {
    const blocks = [{ type: 'text', text: 'a', textSignature: 's' }, { type: 'thinking', thinking: 'b', thinkingSignature: '{"x": 1}' }, { type: 'thinking', thinking: 'c' }, { type: 'new', x: 1 }];
    const content = lines(header('a'), pi('1', null, said([{ type: 'image', data: 'blob:sha256:00', mimeType: 'image/png' }])), pi('2', '1', { role: 'assistant', provider: 'openai', content: blocks }), pi('3', '2', { role: 'oracle', content: 'x' }), pi('4', '3', null));
    const { items, report } = await one(content);
    expect(text(items[0])).toContain('blob:sha256:00');
    expect(items[1]).toMatchObject({ message: { content: [
      { type: 'text', providerOptions: { pi: { textSignature: 's' } } }, { type: 'reasoning', text: 'b' }, { type: 'opaque', provider: 'openai', bytes: JSON.stringify(blocks[1]) }, { type: 'reasoning', text: 'c' },
      { type: 'opaque', format: 'new', bytes: '{"type":"new","x":1}' },
    ] } });
    expect(report).toMatchObject({ thinking: 2, thinkingSigned: 1, images: 1, notes: [{ line: 3, reason: 'unknown-block' }], skipped: [{ line: 4, reason: 'unknown-role' }, { line: 5, reason: 'malformed' }] });
  });

  it('tells shell runs, hidden ones, summaries and notices', async () => {
    const content = lines(
      header('a'), pi('1', null, { role: 'bashExecution', command: 'ls', output: 'x', exitCode: 2 }), pi('2', '1', { role: 'bashExecution', command: 'pw', output: 'y', excludeFromContext: true }),
      pi('3', '2', { role: 'hookMessage', content: 'hook' }), pi('4', '3', { role: 'custom', customType: 'handoff', content: 'sum' }), pi('5', '4', said('  ')),
      { type: 'branch_summary', id: '6', parentId: '5', fromId: '3', summary: 'left', ...stamp }, { type: 'session_info', id: '7', parentId: '6', name: 'Titled', ...stamp }, { type: 'event', ...stamp },
    );
    const { items, report, title } = await one(content);
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual(['observation', 'hidden', 'notice', 'hidden', 'hidden']);
    expect(text(items[0])).toBe('$ ls\nx\n(exit code 2)');
    expect(report).toMatchObject({ observation: 2, notice: 1, handoff: 1, meta: 2, hidden: 3 });
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['empty-user', 'ui-only']);
    expect(title).toBe('Titled');
  });
});

describe('claude-code', () => {
  it('merges first: a result recorded before its call\'s part, parallel calls answered in another order', async () => {
    const { items, report } = await one(lines(user('go'), part('m', use('a')), result('b', 'B'), result('a', 'A', { is_error: true }), user('typed'), part('m', use('b'), { type: 'text', text: ' \n' })));
    expect(items.map((item) => (item.kind === 'result' ? `${item.part.toolCallId}:${item.part.output.type}` : item.kind))).toEqual(['user', 'assistant', 'a:error-text', 'b:text', 'user']);
    expect(report).toMatchObject({ toolResults: 2, skipped: [] });
  });

  it('answers an id that is used again', async () => {
    const { report } = await one(lines(part('m1', use('a')), part('m2', use('a')), result('a', 'x'), result('a', 'y'), result('z', 'w')));
    expect(report).toMatchObject({ toolCalls: 2, toolResults: 1, callsWithoutResult: 1, resultsWithoutCall: 1 });
    expect(report.skipped.map(({ line, reason }) => [line, reason])).toEqual([[4, 'duplicate-result'], [5, 'result-without-call']]);
  });

  it('keeps a record that only partly fails: a repeated result among others', async () => {
    const { report } = await one(lines(part('m', use('a'), use('b')), result('a', 'x'), user([{ type: 'tool_result', tool_use_id: 'a', content: 'again' }, { type: 'tool_result', tool_use_id: 'b', content: 'y' }])));
    expect(report).toMatchObject({ records: 3, read: 3, skippedRecords: 0, toolResults: 2, skipped: [{ line: 3, reason: 'duplicate-result' }] });
  });

  it('reads side chains when there is nothing else', async () => {
    const side = { isSidechain: true };
    const content = [user('task', side), claude('assistant', { message: { id: 'm', role: 'assistant', content: [use('a')] } }, side), user([{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }], side)];
    expect((await one(lines(...content))).report).toMatchObject({ userInput: 1, assistant: 1, toolResults: 1, skippedRecords: 0 });
    expect((await one(lines(...content, user('main')))).report).toMatchObject({ userInput: 1, assistant: 0, skippedRecords: 3 });
  });

  it('tells texts, attachments and titles', async () => {
    const attachment = (body: object, extra: object = {}): unknown => claude('attachment', { attachment: body }, extra);
    const { items, report, title } = await one(lines(
      user('This session is being continued from a previous conversation that ran out.'), user('<task-notification>x'), user('+ typed'), user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }]),
      user('Do the plan', { planContent: 'p' }), attachment({ type: 'queued_command', prompt: 'ran', commandMode: 'task-notification' }), attachment({ type: 'file', content: 'whole file' }, { rendered: 'as seen' }),
      attachment({ type: 'todo_reminder' }), claude('system', { subtype: 'microcompact_boundary', microcompactMetadata: { trigger: 'auto' } }), claude('system', { subtype: 'new_thing' }),
      user([]), user([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } }, { type: 'text', text: 'read it' }]), { type: 'custom-title', customTitle: 'Mine', sessionId: 's' }, { type: 'ai-title', aiTitle: 'Its', sessionId: 's' },
    ));
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual(['hidden', 'observation', 'user_input', 'user_input', 'user_input', 'observation', 'notice', 'hidden', 'hidden', 'user_input']);
    expect(text(items[6])).toBe('as seen');
    expect(report).toMatchObject({ handoff: 1, reductions: 1, images: 1, meta: 2, userInputBy: { typed: 2, image: 1, plan: 1 } });
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['ui-only', 'empty-user']);
    expect(title).toBe('Mine');
  });

  it('leaves a rewound arm out with tree only', async () => {
    const linked = (uuid: string, parentUuid: string | null, value: unknown): unknown => ({ ...(value as object), uuid, parentUuid });
    const content = lines(linked('a', null, user('root')), linked('b', 'a', part('m1', use('t'))), linked('c', 'b', result('t', 'ok')), linked('d', 'c', user('left')), linked('e', 'd', part('m2', { type: 'text', text: 'lost' })), linked('f', 'c', user('kept')));
    expect(userTexts((await one(content)).items)).toEqual(['root', 'left', 'kept']);
    const tree = await one(content, { tree: true });
    expect(userTexts(tree.items)).toEqual(['root', 'kept']);
    expect(tree.report.skipped.map(({ line, reason }) => [line, reason])).toEqual([[4, 'rewound'], [5, 'rewound']]);
    expect(tree.report.toolResults).toBe(1);
  });

  it('cuts signed blocks out byte for byte and keeps unknown ones', async () => {
    const raw = '{ "type":"thinking", "signature":"s\\u0041", "thinking":"t", "n":1.0 }';
    const { items, report } = await one(lines(`{"type":"assistant","uuid":"q","parentUuid":null,"message":{"id":"m","role":"assistant","content":[${raw},{"type":"redacted_thinking","data":"zz"},{"type":"server_tool_use","id":"k"}]}}`));
    expect(items[0]).toMatchObject({ message: { content: [{ type: 'reasoning', text: 't' }, { format: 'thinking', bytes: raw }, { format: 'redacted_thinking' }, { format: 'server_tool_use', bytes: '{"type":"server_tool_use","id":"k"}' }] } });
    expect(report).toMatchObject({ thinking: 2, thinkingSigned: 2, notes: [{ line: 1, reason: 'unknown-block' }] });
  });

  it('hides a message that has no part left', async () => {
    const { items, report } = await one(lines(user('x'), part('m', { type: 'text', text: '\n' }), part('m', { type: 'thinking', thinking: '', signature: '' })));
    expect(report).toMatchObject({ assistant: 0, assistantEmpty: 1, hidden: 2, read: 1 });
    expect(items[1]).toMatchObject({ kind: 'hidden', line: 2 });
  });

  it('makes schemas of all calls, fixed from the start', async () => {
    const { tools } = await one(claudeLines().join('\n'));
    expect(tools).toEqual([{ name: 'Bash', description: 'Recorded tool Bash.', inputSchema: { type: 'object', properties: { command: { type: 'string' }, timeout: { type: 'number' } }, required: ['command'] } }]);
  });
});

describe('chat documents', () => {
  const tau = [{ task_id: 0, trial: 1, traj: chatMessages() }, 'odd', { task_id: 2, traj: [{ role: 'user', content: 'two' }, null] }];
  it('reads many sessions, parsed whole or streamed', async () => {
    const content = JSON.stringify(tau, null, 1);
    const whole = await read(content);
    expect(whole.sessions.map(({ id, report }) => [id, report.records])).toEqual([['task-0-trial-1', 10], [null, 0], ['task-2', 2]]);
    expect(whole.sessions[1]?.report.skipped).toMatchObject([{ detail: 'no session' }]);
    expect(whole.sessions[2]?.report.skipped).toMatchObject([{ index: 1, reason: 'malformed' }]);
    expect(await read(content, { documentLimitBytes: 0 })).toEqual(whole);
  });

  it('reads a body\'s tools and the response beside it', async () => {
    const body = { messages: [{ role: 'user', content: 'x' }], tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }], response: { choices: [{ finish_reason: 'length', message: { role: 'assistant', content: 'y' } }], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } } } };
    for (const documentLimitBytes of [0, 1e6]) {
      const { items, tools, report } = await one(JSON.stringify(body), { documentLimitBytes });
      expect(tools).toEqual([{ name: 'f', description: 'd', inputSchema: { type: 'object' } }]);
      expect(items[1]).toMatchObject({ kind: 'assistant', line: 1, finish: 'length', usage: { input: 5, cacheRead: 4, output: 2 } });
      expect(report).toMatchObject({ records: 2, read: 2, usage: { calls: 1 } });
    }
  });

  it('reads bodies line by line and lists what stands between', async () => {
    const { sessions } = await read(lines({ messages: [{ role: 'user', content: 'a' }] }, '{"messages":[', { messages: [{ role: 'user', content: 'b' }] }, { messages: [{ role: 'user', content: 'c' }] }));
    expect(sessions.map(({ items, report }) => [userTexts(items).join(), report.skipped.length])).toEqual([['a', 1], ['b', 0], ['c', 0]]);
  });

  it('skips an element above the limit by its index', async () => {
    const content = JSON.stringify([{ role: 'user', content: 'x'.repeat(500) }, { role: 'user', content: 'short' }]);
    const { items, report } = await one(content, { documentLimitBytes: 0, lineLimitBytes: 100 });
    expect(userTexts(items)).toEqual(['short']);
    expect(report).toMatchObject({ records: 2, skippedRecords: 1, skipped: [{ index: 0, reason: 'malformed' }] });
  });

  it('reads later system text as a notice and pairs legacy calls by name', async () => {
    const call = (name: string): unknown => ({ role: 'assistant', content: null, function_call: { name, arguments: '{}' } });
    const { items, system, report } = await one(JSON.stringify([{ role: 'system', content: 'a' }, { role: 'developer', content: 'b' }, call('f'), call('g'), { role: 'function', name: 'f', content: 'F' }, { role: 'function', name: 'g', content: 'G' }, { role: 'function', name: 'h', content: 'H' }, { role: 'system', content: 'later' }]));
    expect(system).toBe('a\n\nb');
    expect(items.flatMap((item) => (item.kind === 'result' ? [item.part.output.value] : []))).toEqual(['F', 'G']);
    expect(items.at(-1)).toMatchObject({ kind: 'user', origin: 'notice' });
    expect(report.resultsWithoutCall).toBe(1);
  });

  it('tells the texts of mini-swe-agent', async () => {
    const messages = [{ role: 'user', content: 'task' }, { role: 'user', content: 'Tool call error', extra: {} }, { role: 'user', content: 'out', extra: { returncode: 0 } }, { role: 'exit', content: 'diff' }, { role: 'user', content: '', extra: { exit_status: 'Submitted' } }];
    const { items, report } = await one(JSON.stringify({ trajectory_format: 'mini-swe-agent-1.1', info: {}, instance_id: 'i1', messages }));
    expect(items.map((item) => (item.kind === 'user' ? item.origin : item.kind))).toEqual(['user_input', 'notice', 'observation', 'hidden', 'hidden']);
    expect(report).toMatchObject({ notice: 3, userInputBy: { task: 1 } });
  });

  it('keeps signed reasoning details beside the readable text', async () => {
    const detail = { type: 'reasoning.encrypted', data: 'zz', format: 'anthropic-claude-v1' };
    const { items, report } = await one(JSON.stringify([{ role: 'user', content: 'x' }, { role: 'assistant', content: 'y', reasoning: 'why', reasoning_details: [detail] }]));
    expect(items[1]).toMatchObject({ message: { content: [{ type: 'reasoning', text: 'why' }, { type: 'opaque', provider: 'anthropic', format: 'reasoning.encrypted', bytes: JSON.stringify(detail) }, { type: 'text', text: 'y' }] } });
    expect(report).toMatchObject({ thinking: 1, thinkingSigned: 1 });
  });
});

it('gives a report before, during and after an iteration', async () => {
  const { openTranscript } = await import('./index.ts');
  const [session] = (await openTranscript(scratch.write(piLines().join('\n')))).sessions;
  expect(session?.report().records).toBe(0);
  for await (const item of session?.items() ?? []) if (item.kind === 'assistant') break;
  expect(session?.report().records).toBeLessThan(10);
  for await (const item of session?.items() ?? []) expect(item.line).not.toBe(0);
  expect(session?.report().records).toBe(16);
});
