import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readWhole, Scratch } from '../../test/reading.ts';
import { chatMessages, claudeLines, piLines } from '../../test/synthetic.ts';

const scratch = new Scratch();
afterAll(() => {
  scratch.remove();
});
const lines = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const time = '2026-01-01T00:00:00.000Z';
const formatOf = async (content: string | Uint8Array): Promise<string> => (await readWhole(scratch.write(content))).format;
const message = { role: 'user', content: 'Hello.' };

describe('formats that are read', () => {
  const cases: readonly (readonly [string, string, string | Uint8Array])[] = [
    ['pi', 'pi', piLines().join('\n')],
    ['pi without its header', 'pi', piLines().slice(1).join('\n')],
    ['pi with a long first line', 'pi', lines({ type: 'session', pad: 'x'.repeat(400_000), id: 'a', timestamp: time })],
    ['pi behind a torn line', 'pi', `{"type":"mess\n${piLines().join('\n')}`],
    ['claude', 'claude-code', claudeLines().join('\n')],
    ['claude, gzipped under any name', 'claude-code', gzipSync(claudeLines().join('\r\n'))],
    ['claude that begins with undo data', 'claude-code', lines({ type: 'file-history-snapshot', messageId: 'm' })],
    ['claude titles only', 'claude-code', lines({ type: 'summary', summary: 'T', leafUuid: 'l' })],
    ['a list of chat messages', 'openai-chat', json(chatMessages())],
    ['a minified body', 'openai-chat', JSON.stringify({ model: 'm', messages: chatMessages() })],
    ['a body with text parts', 'openai-chat', json({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] })],
    ['bodies, one a line', 'openai-chat', lines({ messages: [message] }, { messages: [message, message] })],
    ['mini-swe-agent', 'mini-swe-agent', json({ info: { model_stats: {} }, messages: [message] })],
    ['Gemini lines', 'gemini-cli', lines({ sessionId: 'a', projectHash: 'b' }, { id: '1', type: 'user', content: 'x' })],
    ['Gemini lines without header', 'gemini-cli', lines({ id: '1', timestamp: time, type: 'gemini', content: 'x' })],
    ['a Gemini document', 'gemini-cli', json({ sessionId: 'a', projectHash: 'b', messages: [{ type: 'user', content: 'x' }] })],
    [
      'a Gemini checkpoint',
      'gemini-cli',
      json([
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [] },
      ]),
    ],
    ['a Gemini checkpoint in an object', 'gemini-cli', json({ history: [{ role: 'user', parts: [{ text: 'x' }] }], authType: 'a' })],
    [
      'a Codex rollout',
      'codex',
      lines(
        { timestamp: time, type: 'session_meta', payload: {} },
        { timestamp: time, type: 'response_item', payload: { type: 'message' } },
      ),
    ],
    ['a Codex rollout without envelopes', 'codex', lines({ id: 'a', timestamp: time, instructions: null }, { record_type: 'state' })],
    ['Codex items alone', 'codex', lines({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] })],
    ['the first Codex', 'codex', json({ session: { id: 'a', timestamp: time }, items: [{ type: 'message', role: 'user', content: [] }] })],
    ['SWE-agent', 'swe-agent', json({ trajectory: [], history: [{ role: 'user', content: 'x', agent: 'main' }], info: {} })],
    ['SWE-agent without history', 'swe-agent', json({ trajectory: [{ action: 'ls', observation: 'x', response: 'y' }] })],
    ['tau-bench', 'tau-bench', json([{ task_id: 1, trial: 0, traj: [message] }])],
  ];
  it.each(cases)('%s', async (_name, format, content) => {
    expect(await formatOf(content)).toBe(format);
  });
});

describe('formats that are recognised and refused', () => {
  const cases: readonly (readonly [RegExp, string | Uint8Array])[] = [
    [/Goose database/u, `SQLite format 3\0${'\0'.repeat(100)}CREATE TABLE messages (content_json TEXT)`],
    [/OpenCode database/u, 'SQLite format 3\0CREATE TABLE `part` (data)'],
    [/Hermes database/u, 'SQLite format 3\0CREATE TABLE messages (role, content, tool_calls)'],
    [/UTF-16/u, Buffer.from('\ufeff{}', 'utf16le')],
    [/codex exec/u, lines({ type: 'thread.started', thread_id: 'x' })],
    [/claude -p/u, lines({ type: 'system', subtype: 'init', session_id: 'x' })],
    [/ShareGPT/u, json([{ conversations: [{ from: 'human', value: 'x' }] }])],
    [/Cline UI/u, json([{ ts: 1, type: 'say', say: 'text' }])],
    [/Aider/u, '\n# aider chat started at 2026-01-01 10:00:00\n\n#### hello\n'],
  ];
  it.each(cases)('%s', async (name, content) => {
    await expect(readWhole(scratch.write(content))).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNSUPPORTED',
      message: expect.stringMatching(name) as string,
    });
  });
});

describe('what is no session file', () => {
  it.each([
    ['an empty file', ''],
    ['gives no text', gzipSync('{}').subarray(0, 10)],
    ['only white space', ' \n\n'],
    ['a list of numbers', '[1,2,3]'],
    ['an empty list', '[]'],
    ['the keys a, b', '{"a":1,"b":2}'],
    ['types pot, none', lines({ type: 'pot' }, { x: 1 })],
    ['Seen: a JSON object a line, without a type, with the keys role, content', lines(message, { role: 'assistant', content: 'Hi.' })],
    ['begins with "hello', 'hello world'],
  ])('says that it saw %s', async (seen, content) => {
    await expect(readWhole(scratch.write(content))).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNKNOWN_FORMAT',
      message: expect.stringContaining(seen) as string,
    });
  });

  it('refuses random bytes, a missing file and a folder with typed errors', async () => {
    const random = Buffer.alloc(3_000_000);
    for (let at = 0, state = 1; at < random.length; at++) random[at] = (state = (state * 1103515245 + 12345) % 2147483648) >>> 16;
    await expect(readWhole(scratch.write(random))).rejects.toMatchObject({ code: 'TRANSCRIPT_UNKNOWN_FORMAT' });
    await expect(readWhole(join(scratch.folder, 'missing'))).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
    await expect(readWhole(scratch.folder)).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
  });

  it('names the byte of a torn document, parsed whole or streamed', async () => {
    const torn = json({ model: 'm', messages: chatMessages() }).slice(0, 700);
    const byte = Buffer.byteLength(torn);
    for (const documentLimitBytes of [0, 1e6]) {
      await expect(readWhole(scratch.write(torn), { documentLimitBytes })).rejects.toMatchObject({
        code: 'TRANSCRIPT_TORN',
        details: { byte },
      });
    }
  });

  it.each([
    ['a mark of the byte order', '\uFEFF', '', ['bom']],
    ['NUL bytes', '\0'.repeat(5_000), '\0'.repeat(5_000), ['nul']],
    ['both', '\uFEFF', '\n\0', ['bom', 'nul']],
  ])('reads a document with %s around it, whole or streamed', async (_what, before, after, notes) => {
    const file = scratch.write(`${before}${json({ model: 'm', messages: chatMessages() })}${after}`);
    const [whole, streamed] = await Promise.all([1e6, 0].map((documentLimitBytes) => readWhole(file, { documentLimitBytes })));
    expect(streamed?.sessions[0]?.items).toEqual(whole?.sessions[0]?.items);
    expect(whole?.sessions[0]?.report.notes.map(({ reason }) => reason).sort()).toEqual(notes);
  });

  it('names the byte where the text of a torn document ends, not the NUL bytes behind it', async () => {
    const torn = json({ model: 'm', messages: chatMessages() }).slice(0, 700);
    await expect(readWhole(scratch.write(`${torn}${'\0'.repeat(5_000)}`))).rejects.toMatchObject({
      code: 'TRANSCRIPT_TORN',
      details: { byte: Buffer.byteLength(torn) },
    });
  });

  it('refuses a forced format that finds no record', async () => {
    const file = join(scratch.folder, 'forced');
    writeFileSync(file, 'one\ntwo\n');
    await expect(readWhole(file, { format: 'pi' })).rejects.toMatchObject({ code: 'TRANSCRIPT_UNKNOWN_FORMAT' });
    await expect(readWhole(file, { format: 'tau-bench' })).rejects.toMatchObject({ code: 'TRANSCRIPT_UNKNOWN_FORMAT' });
    expect((await readWhole(scratch.write(json(chatMessages())), { format: 'mini-swe-agent' })).format).toBe('mini-swe-agent');
  });
});
