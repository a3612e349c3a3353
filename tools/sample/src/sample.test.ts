import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { countTokens } from '@palimpsest/budget';
import { describe, expect, it } from 'vitest';
import { clean } from './clean.ts';
import { about, exportsIn, listed, purposeOf } from './facts.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly arguments?: Readonly<Record<string, string | number>>;
}

interface Row {
  readonly type: string;
  readonly version?: number;
  readonly id: string;
  readonly parentId?: string | null;
  readonly timestamp: string;
  readonly message?: {
    readonly role: string;
    readonly content: readonly Block[];
    readonly toolCallId?: string;
    readonly isError?: boolean;
  };
}

const packed = readFileSync(new URL('../../../apps/cli/sample/session.jsonl.gz', import.meta.url));
const rows = gunzipSync(packed)
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
const messages = rows.flatMap(({ message }) => message ?? []);
const blocks = messages.flatMap(({ content }) => content);
const textOf = ({ text, thinking, arguments: args }: Block): string =>
  [text, thinking, ...Object.values(args ?? {}).map(String)].filter((part) => part !== undefined).join('\n');
const texts = blocks.map(textOf);

describe('the committed sample session', () => {
  it('is a session of version 3 whose records form one path with a clock that goes forward', () => {
    expect(rows[0]).toMatchObject({ type: 'session', version: 3 });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const [index, { parentId, timestamp }] of rows.entries()) {
      if (index > 0) expect(parentId).toBe(index === 1 ? null : rows[index - 1]?.id);
      if (index > 1) expect(Date.parse(timestamp)).toBeGreaterThan(Date.parse(rows[index - 1]?.timestamp ?? ''));
    }
  });

  it('is a long piece of work: messages, turns, thinking, failures, parallel calls, a model change', () => {
    const turns = messages.filter(({ role }) => role === 'user').length;
    expect(messages.length).toBeGreaterThanOrEqual(200);
    expect(turns).toBeGreaterThanOrEqual(8);
    expect(turns).toBeLessThanOrEqual(15);
    expect(blocks.some(({ type }) => type === 'thinking')).toBe(true);
    expect(messages.some(({ isError }) => isError === true)).toBe(true);
    expect(messages.some(({ content }) => content.filter(({ type }) => type === 'toolCall').length > 1)).toBe(true);
    expect(rows.filter(({ type }) => type === 'model_change')).toHaveLength(1);
  });

  it('has at least 150,000 tokens in at most 300 KB', () => {
    expect(texts.reduce((sum, text) => sum + countTokens(text, 'o200k_base'), 0)).toBeGreaterThanOrEqual(150_000);
    expect(packed.length).toBeLessThanOrEqual(300 * 1024);
  });

  it('answers every call directly, once, and answers nothing else', () => {
    let open: string[] = [];
    for (const { role, content, toolCallId } of messages) {
      if (role === 'toolResult') expect(open.shift()).toBe(toolCallId);
      else {
        expect(open).toEqual([]);
        open = content.flatMap(({ type, id }) => (type === 'toolCall' && id !== undefined ? [id] : []));
      }
    }
    expect(open).toEqual([]);
  });

  it('names no folder of the machine that wrote it', () => {
    expect(texts.flatMap((text) => text.match(/(?<![\w.@/-])\/(work|root|home|tmp|Users)\b.*/g) ?? [])).toEqual([]);
  });
});

describe('cleaning', () => {
  it.each([
    ['at /srv/clone/packages/a.ts', 'at /project/packages/a.ts'],
    ['file:///srv/clone/a.ts', '/project/a.ts'],
    ["cd '/tmp/x' && ls /root", "cd '/project/x' && ls /project"],
    ["from './summary/work.ts' and a/tmp/b", "from './summary/work.ts' and a/tmp/b"],
    ['\u001b[32m✓\u001b[39m a.test.ts (3 tests) 12ms\n   Start at  10:00:00\n   Duration  1.2s', '✓ a.test.ts (3 tests)'],
  ])('of %j', (printed, expected) => {
    expect(clean(printed, ['/srv/clone'])).toBe(expected);
  });
});

describe('facts', () => {
  const source =
    "import a from 'a';\n/** What is sold. By whom. */\nexport interface Shop {\n  /** Not this one, it belongs to a field. */\n  a: string;\n}\nexport const open = 1;\nexport { b, c } from './d.ts';\n";

  it('are read off the source', () => {
    expect(exportsIn(source)).toEqual(['Shop', 'open', 'b', 'c']);
    expect(purposeOf(source)).toBe('What is sold.');
    expect(purposeOf('export interface A {\n  /** Only a field has a comment. */\n  a: 1;\n}')).toBeNull();
    expect(about('a.ts', 'export const x = 1;')).toBe('- `a.ts` (1 lines): exports `x`.');
  });

  it.each([
    [[], 'nothing'],
    [['a'], '`a`'],
    [['a', 'b', 'c'], '`a`, `b` and `c`'],
    [['a', 'b', 'c', 'd'], '`a`, `b`, `c` and 1 more'],
  ])('are listed: %j', (names, expected) => {
    expect(listed(names, 3)).toBe(expected);
  });
});
