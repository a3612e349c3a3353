/** Every section and every key, misspelt by one letter in every place and way: the fault stands at the key and names the right one. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '@palimpsest/contracts';
import { builtInKeys, known } from './built-in.test-support.ts';
import { lines, useFolders } from './folders.test-support.ts';
import { knownKeys, ownSchema } from './json-schema.ts';

const { write, load, failure } = useFolders();

/** A file in which every key is written. */
const whole = {
  context: { engine: 'compressor', on_engine_failure: 'fail', engines: { other: { depth: 1 } } },
  compression: {
    enabled: true,
    threshold: 0.4,
    model_thresholds: { big: 0.3 },
    small_context_floor: false,
    threshold_tokens: 90_000,
    protect_first_n: 2,
    protect_last_n: 8,
    target_ratio: 0.3,
    min_tail_user_messages: 2,
    max_summary_tokens: 5_000,
  },
  compaction: { strategy: 'context-full', auto_continue: false, keep_recent_tokens: 9_000 },
  hygiene: { enabled: true },
  budget: { marks: { low: 1_000, prepare: 2_000, start: 3_000, hard: 4_000 } },
  models: {
    big: { provider: 'openai', model: 'x', base_url: 'https://a.example', api_key: 'k', window_tokens: 9_000, max_output_tokens: 900 },
    played: { provider: 'scripted', script: ['hello'] },
  },
  agent: { model: 'big', max_steps: 9 },
  prompt: { system: 'Be brief.' },
  store: { path: 'log.db', durability: 'normal' },
  plugins: ['an-engine'],
};

type Section = { readonly [key: string]: Json };
const isSection = (value: Json | undefined): value is Section => typeof value === 'object' && value !== null && !Array.isArray(value);

interface Key {
  readonly path: readonly string[];
  readonly value: Json;
  /** What is written beside it. */
  readonly siblings: Section;
}
function keysOf(section: Section, above: readonly string[]): readonly Key[] {
  return Object.entries(section).flatMap(([name, value]) => {
    const { [name]: _, ...siblings } = section;
    const path = [...above, name];
    return [{ path, value, siblings }, ...(isSection(value) ? keysOf(value, path) : [])];
  });
}
/** Names that the operator chooses cannot be misspelt. */
const chosen = /^(models\.\w+|context\.engines\.other(\.depth)?|compression\.model_thresholds\.big)$/u;
const keys = keysOf(whole, []).filter(({ path }) => !chosen.test(path.join('.')));

/** One letter left out, taken for another, or swapped with its neighbour; what is another key by then is no typo. */
function typos({ path, siblings }: Key): readonly string[] {
  const word = String(path.at(-1));
  const found = [...word].flatMap((letter, at) => [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}${letter === 'q' ? 'z' : 'q'}${word.slice(at + 1)}`,
    word.slice(0, at) + String(word[at + 1] ?? '') + letter + word.slice(at + 2),
  ]);
  return [...new Set(found)].filter((typo) => typo !== word && !Object.hasOwn(siblings, typo));
}

/** A file with the key once in every wrong spelling, a line each, below what is written beside it. */
function misspelt(key: Key): { readonly text: string; readonly firstLine: number; readonly column: number } {
  const above = key.path.slice(0, -1);
  const indent = '  '.repeat(above.length);
  const rows = [
    ...above.map((name, depth) => `${'  '.repeat(depth)}${name}:`),
    ...Object.entries(key.siblings).map(([name, value]) => `${indent}${name}: ${JSON.stringify(value)}`),
  ];
  const wrong = typos(key).map((typo) => `${indent}${typo}: ${JSON.stringify(key.value)}`);
  return { text: [...rows, ...wrong].join('\n'), firstLine: rows.length + 1, column: indent.length + 1 };
}

describe('the whole file', () => {
  it('is right as it stands, and has every key there is', async () => {
    await write('project/palimpsest.yaml', stringify(whole));
    await load({ known });
    const named = (path: readonly string[]): readonly string[] =>
      knownKeys(ownSchema, path).flatMap((key) => [[...path, key].join('.'), ...named([...path, key])]);
    const ours = [
      ...named([]),
      ...knownKeys(ownSchema, ['models', 'any']).map((key) => `models.any.${key}`),
      ...builtInKeys.map((key) => `compression.${key}`),
    ];
    expect(new Set(keys.map(({ path }) => path.join('.').replace(/^models\.\w+/u, 'models.any')))).toEqual(new Set(ours));
  });
});

describe('one letter wrong', () => {
  it.each(keys.map((key) => [key.path.join('.'), key] as const))('%s', async (_, key) => {
    const { text, firstLine, column } = misspelt(key);
    await write('project/palimpsest.yaml', text);
    const expected = typos(key).map((typo, index) => {
      const path = [...key.path.slice(0, -1), typo].join('.');
      return `${String(firstLine + index)}:${String(column)} ${path} | ${String(key.path.at(-1))}`;
    });
    expect(
      lines(await failure({ known })).map((line) =>
        line.replace(/ \| no such key; known here: .* \| | \| is not a key here; .* \| /u, ' | '),
      ),
    ).toEqual(expected);
    expect(expected.length).toBeGreaterThan(2 * String(key.path.at(-1)).length - 2);
  });

  it('is the fault that is spoken of, though the key is missing then', async () => {
    await write('project/palimpsest.yaml', 'models:\n  m:\n    modle: x\n    provider: openai\n');
    const error = await failure({ known });
    expect(error).toMatchObject({ hint: 'Did you mean "model"?', details: { line: 3, column: 5, path: 'models.m.modle', others: [] } });
  });
});

describe('a wrong word', () => {
  it.each([
    ['context: {on_engine_failure: fial}', 1, 30, 'fail'],
    ['compaction: {strategy: of}', 1, 24, 'off'],
    ['store:\n  durability: nromal', 2, 15, 'normal'],
    ['context: {engines: {compressor: {protect_frist_n: 1}}}', 1, 34, 'protect_first_n'],
    ['models:\n  m: {model: x, provider: opnai}', 2, 27, 'openai'],
  ])('%j', async (yaml, line, column, near) => {
    await write('project/palimpsest.yaml', yaml);
    expect((await failure({ known })).details).toMatchObject({ line, column, near });
  });
});
