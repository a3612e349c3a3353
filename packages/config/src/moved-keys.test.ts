import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lines, useFolders } from './folders.test-support.ts';
import { knownKeys, ownSchema, schemaAt } from './json-schema.ts';
import { MOVED_KEYS, movedKey, type MovedKey } from './moved-keys.ts';
import { plainKey } from './nearest-key.ts';

const { write, failure } = useFolders();

/** Is there such a key? `<name>` is one that the operator chooses. */
function exists(path: string): boolean {
  const steps = path.split('.');
  const names = knownKeys(ownSchema, steps.slice(0, -1));
  return names.includes(String(steps.at(-1)));
}

describe('the table', () => {
  it.each(MOVED_KEYS.map((row) => [row.path, row] as const))('%s: no key itself, its place is one', (path, row) => {
    expect(exists(path)).toBe(false);
    expect(exists(row.use)).toBe(true);
    expect(schemaAt(ownSchema, row.use.split('.'))).toHaveProperty('description');
  });

  it('names every key once, in the plain spelling', () => {
    const paths = MOVED_KEYS.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(paths.map((path) => path.split('.').map(plainKey).join('.')));
  });
});

it('is what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const rows = String(readme.split('## Keys of other places')[1]?.split('\n## ')[0])
    .split('\n')
    .flatMap((line) => {
      const [, path, use, note] = /^\| `([^`]+)` \| `([^`]+)` \|(?: (.+))? \|$/u.exec(line) ?? [];
      return path === undefined ? [] : [[path, use, note]];
    });
  const table = MOVED_KEYS.map(({ path, use, note }) => [path, use, note]);
  expect(rows).toEqual(table);
  expect(MOVED_KEYS.filter(({ kind }) => kind === 'removed')).toEqual([]);
});

describe('movedKey', () => {
  const table: readonly MovedKey[] = [
    { path: 'store.file', use: 'store.path', kind: 'removed' },
    { path: 'models.<name>.window', use: 'models.<name>.window_tokens', kind: 'removed', note: 'in tokens' },
    { path: 'summary', use: 'compression.threshold', kind: 'elsewhere' },
  ];
  it.each([
    [['store', 'file'], 'was removed; use store.path', 'store.path'],
    [['models', 'a.b', 'window'], 'was removed; use models["a.b"].window_tokens (in tokens)', 'models["a.b"].window_tokens'],
    [['summary'], 'is not a key here; its place is compression.threshold', 'compression.threshold'],
  ])('%j', (path, problem, use) => {
    expect(movedKey(path, table)).toEqual({ problem, use });
  });

  it.each([[['store']], [['store', 'file', 'x']], [['stores', 'file']], [[]], [['models', 'a', 'windows']]])('%j is not in it', (path) => {
    expect(movedKey(path, table)).toBeNull();
  });
});

describe('in a file', () => {
  it.each([
    ['agent: {max_turns: 9}', ['1:9 agent.max_turns | is not a key here; its place is agent.max_steps | agent.max_steps']],
    ['maxTurns: 9', ['1:1 maxTurns | is not a key here; its place is agent.max_steps | agent.max_steps']],
    [
      'compaction: {enabled: false}',
      ['1:14 compaction.enabled | is not a key here; its place is compaction.strategy (off, or context-full) | compaction.strategy'],
    ],
    [
      'compaction:\n  thresholdTokens: 9',
      ['2:3 compaction.thresholdTokens | is not a key here; its place is budget.marks.start | budget.marks.start'],
    ],
    [
      'model:\n  default: x\n  context_length: 9\n  colour: red',
      [
        '1:1 model | is not a key here; its place is models (each model has a name, and agent.model picks one) | models',
        '2:3 model.default | is not a key here; its place is models.<name>.model | models.<name>.model',
        '3:3 model.context_length | is not a key here; its place is models.<name>.window_tokens | models.<name>.window_tokens',
      ],
    ],
    [
      'models: {big: {provider: openai, default: x, context_length: 9}}',
      [
        '1:34 models.big.default | is not a key here; its place is models.big.model | models.big.model',
        '1:46 models.big.context_length | is not a key here; its place is models.big.window_tokens | models.big.window_tokens',
      ],
    ],
  ])('%j', async (text, expected) => {
    await write('project/palimpsest.yaml', text);
    expect(lines(await failure())).toEqual(expected);
  });
});
