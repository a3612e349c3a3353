import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultIn, readWhole, text, userTexts, type SessionReading } from '../test/reading.ts';

const folder = fileURLToPath(new URL('../../../../shared/corpora/broken/', import.meta.url));
const present = existsSync(`${folder}expected.json`);
if (!present) console.warn('The broken files are absent: they are NOT tested.');

interface Listed {
  readonly line?: number;
  readonly index?: number;
  readonly reason: string;
}
interface Expected {
  readonly file: string;
  readonly format: string;
  readonly exit: number;
  readonly counts: object;
  readonly skipped: readonly Listed[];
  readonly notes?: readonly Listed[];
}
const all = present ? (JSON.parse(readFileSync(`${folder}expected.json`, 'utf8')) as { files: Expected[] }).files : [];
const bare = (list: readonly Listed[]): Listed[] =>
  list
    .map(({ line, index, reason }) => ({ ...(line === undefined ? {} : { line }), ...(index === undefined ? {} : { index }), reason }))
    .sort((a, b) => (a.line ?? a.index ?? 0) - (b.line ?? b.index ?? 0));

async function only(file: string, tree = false): Promise<SessionReading> {
  const { sessions } = await readWhole(folder + file, { tree });
  expect(sessions.length).toBe(1);
  return sessions[0] as SessionReading;
}

describe.skipIf(!present)('the broken files', () => {
  for (const expected of all.filter((one) => one.exit === 0)) {
    it(expected.file, async () => {
      const session = await only(expected.file);
      expect(faultIn(session)).toBeNull();
      expect(session.report.format).toBe(expected.format);
      expect(session.report).toMatchObject(expected.counts);
      expect(bare(session.report.skipped)).toEqual(bare(expected.skipped));
      expect(bare(session.report.notes)).toEqual(bare(expected.notes ?? []));
    });
  }

  it('pi: answers a call from the same line, and no text ends in a carriage return', async () => {
    const { items } = await only('pi-glued-crlf.jsonl');
    expect(items.filter((item) => item.kind === 'result').map((item) => item.line)).toEqual([3]);
    expect(JSON.stringify(items)).not.toContain('\\r');
  });

  it('pi: keeps separators, NUL and a lone surrogate as they are', async () => {
    const { items } = await only('pi-bom-nul-u2028.jsonl');
    expect(userTexts(items)).toEqual(['Pasted note: first\u2028second\u2029third.', 'Bad bytes: [\u0000] and half a smile [\ud83d].']);
  });

  it('pi: does not import retainedTail again; with tree line 6 hangs under line 4', async () => {
    const linear = await only('pi-ids-and-tail.jsonl');
    expect(userTexts(linear.items).filter((one) => one === 'Where is the lid?').length).toBe(1);
    const tree = await only('pi-ids-and-tail.jsonl', true);
    expect(
      tree.items
        .filter((item) => item.kind !== 'result')
        .map((item) => item.line)
        .slice(0, 3),
    ).toEqual([2, 3, 6]);
    expect(tree.report.toolResults).toBe(1);
    expect(faultIn(tree)).toBeNull();
  });

  it('claude: imports the record behind a cut-off one', async () => {
    const { items } = await only('claude-splice.jsonl');
    expect(items.filter((item) => item.kind === 'assistant').map(text)).toEqual(['<tool-call>', 'Three pans.']);
  });

  it('claude: counts usage once for repeated records', async () => {
    expect((await only('claude-duplicate-uuid.jsonl')).report.usage.calls).toBe(3);
  });

  it('claude: puts queued text behind the made answer and before the compaction', async () => {
    const { items } = await only('claude-orphans-and-queue.jsonl');
    expect(items.slice(1, 5).map((item) => item.kind)).toEqual(['assistant', 'result', 'user', 'hidden']);
    expect(items[3]).toMatchObject({ kind: 'user', origin: 'user_input', line: 5 });
    expect(userTexts(items).filter((one) => one === 'thanks').length).toBe(1);
  });

  it('claude: merges a split message and tells the texts around it', async () => {
    const { items, report } = await only('claude-split-message.jsonl');
    expect(items.map((item) => [item.kind, item.line])).toEqual([
      ['user', 1],
      ['user', 2],
      ['assistant', 3],
      ['result', 6],
      ['result', 9],
      ['user', 9],
      ['hidden', 10],
      ['user', 11],
      ['user', 12],
    ]);
    expect(items[2]).toMatchObject({
      message: {
        content: [
          { type: 'opaque', provider: 'anthropic', format: 'thinking', bytes: '{"type":"thinking","thinking":"","signature":"c2ln"}' },
          { toolCallId: 'tu_m1' },
          { toolCallId: 'tu_m2' },
        ],
      },
    });
    expect(report.usage).toMatchObject({ calls: 1, output: 57 });
    expect(items.flatMap((item) => (item.kind === 'user' ? [item.origin] : []))).toEqual([
      'user_input',
      'notice',
      'user_input',
      'notice',
      'observation',
    ]);
    expect(items[6]).toMatchObject({ body: { kind: 'message', origin: 'model', hidden: true } });
  });

  it('claude: takes the title from its record', async () => {
    expect((await only('claude-exploded-message.jsonl')).title).toBe('Stove');
  });

  it('openai: answers the newest call of an id and keeps arguments that are no JSON', async () => {
    const { items } = await only('openai-orphans.json');
    expect(items.filter((item) => item.kind === 'result').map((item) => [item.part.toolCallId, item.line])).toEqual([
      ['call_1', null],
      ['call_2', 4],
      ['call_1', 8],
      ['call_3', null],
    ]);
    expect(items[1]).toMatchObject({ message: { content: [{ input: { min: 3 } }, { input: '{"min":5' }] } });
  });

  it('openai: makes the developer message the prompt and keeps the empty reply hidden', async () => {
    const { items, system } = await only('openai-shapes.json');
    expect(system).toBe('Be brief.');
    expect(items.find((item) => item.line === 6)).toMatchObject({ kind: 'hidden', body: { kind: 'custom', shown: null } });
    expect(items.filter((item) => item.kind === 'assistant').map(text)).toContain('I will not eat them.');
  });

  it('openai: names the byte at which a document ends', async () => {
    await expect(readWhole(`${folder}openai-truncated.json`)).rejects.toMatchObject({ code: 'TRANSCRIPT_TORN', details: { byte: 150 } });
  });
});
