import { afterAll, describe, expect, it } from 'vitest';
import { geminiDocument } from '../test/gemini-records.ts';
import { ownLines } from '../test/own-sessions.ts';
import { header, lines, one, pi, read, said, scratch } from '../test/building.ts';
import { text, userTexts } from '../test/reading.ts';
import { readOwnExport } from './index.ts';
import { DEEPEST, isTooDeep } from '@palimpsest/contracts';
import { clipped } from './json/depth.ts';
import { prefixValue } from './json/prefix.ts';

afterAll(() => {
  scratch.remove();
});
const nested = (depth: number): string => '{"a":['.repeat(depth / 2) + ']}'.repeat(depth / 2);
const notes = (session: Awaited<ReturnType<typeof one>>): unknown[] =>
  session.report.notes.map(({ line, index, reason }) => [line ?? index, reason]);
async function ownRecords(content: string | Uint8Array): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const record of readOwnExport(scratch.write(content))) found.push(record);
  return found;
}

describe('values nested without end', () => {
  it('are cut where they lie too deep, and only there', () => {
    const fine = JSON.parse(nested(DEEPEST)) as Parameters<typeof clipped>[0];
    expect(isTooDeep(fine)).toBe(false);
    expect(clipped(fine)).toEqual(fine);
    const deep = JSON.parse(nested(100_000)) as typeof fine;
    expect(isTooDeep(deep)).toBe(true);
    expect(JSON.stringify(clipped(deep))).toContain('"[nested too deep]"');
    expect(isTooDeep(clipped(deep))).toBe(false);
    expect(clipped(JSON.parse('{"__proto__":1}') as typeof fine)).toEqual(JSON.parse('{"__proto__":1}'));
  });

  it.each([5_000, 100_000])('%i deep: the call is read and noted, in lines and in documents', async (depth) => {
    const call = { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: { x: 'DEEP' } }] };
    const jsonl = lines(header('s'), pi('1', null, said('Hi.')), pi('2', '1', call)).replace('"DEEP"', nested(depth));
    const streamed = `[{"role":"user","content":"Hi."},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"n","arguments":{"x":${nested(depth)}}}}]}]`;
    for (const session of [await one(jsonl), await one(streamed), await one(streamed, { format: 'openai-chat', documentLimitBytes: 0 })]) {
      expect(session.report).toMatchObject({ toolCalls: 1, userInput: 1 });
      expect(JSON.stringify(session.items)).toContain('[nested too deep]');
      expect(notes(session)).toContainEqual([expect.anything(), 'nested-too-deep']);
    }
  });

  it('stay text where a text holds them', async () => {
    const calls = [{ id: 'c', function: { name: 'n', arguments: nested(5_000) } }];
    const { items } = await one(
      JSON.stringify([
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', tool_calls: calls },
      ]),
    );
    expect(JSON.stringify(items)).toContain(JSON.stringify(nested(5_000)));
  });

  it('make our own export invalid, for nothing of it may be changed', async () => {
    const spoilt = ownLines().map((line, at) => (at === 4 ? line.replace(/\{/u, `{"x":${nested(5_000)},`) : line));
    await expect(ownRecords(spoilt.join('\n'))).rejects.toMatchObject({
      code: 'TRANSCRIPT_LINE_INVALID',
      details: { line: 5, problem: 'nested too deep' },
    });
    expect((await read(spoilt.join('\n'))).format).toBe('palimpsest');
  });

  it('do not hold up whoever looks at the begin of a file', () => {
    const begun = performance.now();
    expect(prefixValue('{"a":'.repeat(1_500_000))).toBeDefined();
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe('bytes that are no UTF-8', () => {
  const spoil = (content: string): Buffer =>
    Buffer.concat(content.split('?').flatMap((part, at) => [...(at === 0 ? [] : [Buffer.from([0xff])]), Buffer.from(part)]));

  it('are shown as U+FFFD and noted, line by line or element by element', async () => {
    const jsonl = spoil(lines(header('s'), pi('1', null, said('a?b')), pi('2', '1', said('whole'))));
    const [session] = (await read(jsonl)).sessions;
    expect(userTexts(session?.items ?? [])).toEqual(['a\uFFFDb', 'whole']);
    expect(session === undefined ? [] : notes(session)).toEqual([[2, 'not-utf-8']]);
    const document = spoil(JSON.stringify([said('whole'), said('a?b')]));
    expect((await read(document)).sessions.map(notes)).toEqual([[[0, 'not-utf-8']]]);
    expect((await read(document, { documentLimitBytes: 0, format: 'openai-chat' })).sessions.map(notes)).toEqual([[[1, 'not-utf-8']]]);
  });

  it('make our own export invalid, but for a last line that is cut within a character', async () => {
    const whole = Buffer.from(ownLines().join('\n'));
    const at = whole.indexOf('"text":"') + 8;
    await expect(ownRecords(Buffer.concat([whole.subarray(0, at), Buffer.from([0xff]), whole.subarray(at)]))).rejects.toMatchObject({
      code: 'TRANSCRIPT_LINE_INVALID',
      details: { problem: 'no UTF-8' },
    });
    expect(await ownRecords(Buffer.concat([whole.subarray(0, at), Buffer.from([0xc3])]))).toContainEqual(
      expect.objectContaining({ kind: 'note', reason: 'torn' }),
    );
  });
});

describe('a line longer than what is looked at', () => {
  const long = 'x'.repeat(9_000_000);

  it('is a document with all of its messages', async () => {
    const grown = geminiDocument().replace('"messages"', `"note":"${long}","messages"`);
    const inner = JSON.parse(geminiDocument()) as { messages: object[] };
    const many = JSON.stringify({
      ...inner,
      messages: [...inner.messages, { id: 'z', timestamp: '2026-01-01T00:00:00.000Z', type: 'user', content: long }],
    });
    const all = (await one(geminiDocument())).items.length;
    expect((await one(JSON.stringify(JSON.parse(grown)))).items.length).toBe(all);
    expect((await one(many)).items.length).toBe(all + 1);
    expect((await one(many, { format: 'gemini-cli' })).items.length).toBe(all + 1);
  });

  it('is glued records, each of them read', async () => {
    const record = JSON.stringify(pi('1', null, said('y'.repeat(1_000))));
    const session = await one(
      JSON.stringify(header('s')) +
        record.replace('"1"', '"0"') +
        Array.from({ length: 8_500 }, (_, at) => record.replace('"1"', `"n${String(at)}"`)).join(''),
    );
    expect(session.report).toMatchObject({ format: 'pi', userInput: 8_501 });
  });
});

describe('a document that ends early', () => {
  const inner = JSON.parse(geminiDocument()) as { messages: object[] };
  const perLine = `{"sessionId":"s","projectHash":"p","messages":[\n${inner.messages.map((message) => JSON.stringify(message)).join(',\n')}\n]}`;

  it.each([
    ['in one line', JSON.stringify(inner)],
    ['indented', JSON.stringify(inner, null, 2)],
    ['with a message a line', perLine],
  ])('%s, is torn at every byte, although what it holds looks like records of lines', async (_name, content) => {
    expect((await one(content)).report.format).toBe('gemini-cli');
    const ends = [content.lastIndexOf('},') + 1, content.lastIndexOf('}') - 1];
    for (let end = 40; end < content.length - 1; end += 61) ends.push(end);
    for (const end of ends) await expect(read(content.slice(0, end))).rejects.toMatchObject({ code: 'TRANSCRIPT_TORN' });
  });
});

it('says that a list of calls cannot be read (Hermes)', async () => {
  const rows = [said('Hi.'), { role: 'assistant', content: 'I look.', tool_calls: '[{"id":"c","function":{"na' }];
  const { report, items } = await one(JSON.stringify({ id: 's', source: 'cli', started_at: 1, messages: rows }));
  expect(report.skipped).toMatchObject([{ index: 1, reason: 'incomplete-call' }]);
  expect(items.map(text)).toEqual(['Hi.', 'I look.']);
});
