import { expect, it } from 'vitest';
import type { SessionTree } from '@palimpsest/runtime/sessions';
import { bar, commandLines, counted, factLines, number, tableLines, wrapped } from './table.ts';
import { treeLines } from './tree.ts';
import { cut, wide } from './width.ts';

const rows = [
  ['replay-1', 1234, 'a long preview of what was said'],
  ['b', 5, 'short'],
];
const head = ['session', 'tokens', 'text'];

it('lays columns out, numbers to the right, and cuts nothing in a pipe', () => {
  expect(tableLines(rows, head, null)).toEqual([
    'session   tokens  text',
    'replay-1   1,234  a long preview of what was said',
    'b              5  short',
  ]);
});

it('cuts the last text column to the width of a terminal', () => {
  const lines = tableLines(rows, head, 40);
  expect(lines[1]).toBe('replay-1   1,234  a long preview of wha…');
  expect(Math.max(...lines.map((line) => [...line].length))).toBe(40);
});

it('becomes blocks, whole, where nothing fits any more', () => {
  expect(tableLines(rows, head, 25)).toEqual([
    '',
    'session: replay-1',
    'tokens: 1,234',
    'text: a long preview of',
    'what was said',
    '',
    'session: b',
    'tokens: 5',
    'text: short',
  ]);
});

it('takes no rows and characters outside the basic plane', () => {
  expect(tableLines([], head, 80)).toEqual(['session  tokens  text']);
  expect(cut('😀😀😀😀', 6)).toBe('😀😀…');
  expect(tableLines([['😀', 'x']], ['ab', 'b'], null)[1]).toBe('😀  x');
});

it('counts in columns: some characters take two, some none', () => {
  expect(['', 'abc', '漢字', '한', 'ｆ', '😀', 'é', 'e\u0301', 'a\u200bb', 'ß…'].map(wide)).toEqual([0, 3, 4, 2, 2, 2, 1, 1, 2, 2]);
  expect(['漢字漢字', 'e\u0301e\u0301e\u0301e\u0301'].map((text) => cut(text, 3))).toEqual(['漢…', 'e\u0301e\u0301…']);
  const lines = tableLines([[1, '漢'.repeat(60)]], ['seq', ''], 40);
  expect(lines.map(wide)).toEqual([3, 40]);
});

it('writes numbers in groups', () => {
  expect([0, 999, 1000, 1234567, -1234, 1234.5].map(number)).toEqual(['0', '999', '1,000', '1,234,567', '-1,234', '1,234.5']);
});

it('cuts what people wrote, and no id, place or name of an engine', () => {
  const long = 'replay-a28007f521f9-compressor-32000';
  expect(tableLines([[long, 3]], ['session', 'requests'], 45)).toEqual(['', `session: ${long}`, 'requests: 3']);
  expect(tableLines([['k', 'v'.repeat(60), long]], ['key', 'value', 'place'], 80).join('\n')).toContain(long);
  expect(tableLines([[1, 'a\u001b[31m\nb']], ['seq', ''], null)[1]).toBe('  1  a\\u001b[31m b');
});

it('lays facts out beside their labels, or below them, and cuts none', () => {
  const facts = [
    ['engine', 'compressor 0.1.0 (built-in)'],
    ['over budget', 'replay-a28007f521f9-compressor-32000'],
  ] as const;
  expect(factLines(facts, null)).toEqual(['engine       compressor 0.1.0 (built-in)', 'over budget  replay-a28007f521f9-compressor-32000']);
  expect(factLines(facts, 38)).toEqual([
    'engine       compressor 0.1.0',
    '             (built-in)',
    'over budget',
    '  replay-a28007f521f9-compressor-32000',
  ]);
  expect(factLines(facts, 30)).toEqual([
    'engine',
    '  compressor 0.1.0 (built-in)',
    'over budget',
    '  replay-a28007f521f9-compressor-32000',
  ]);
});

it('puts what a command is for beside it, or below where one does not fit', () => {
  const commands = [
    ['palimpsest why x', 'what it saw'],
    ['palimpsest doctor', 'is all well?'],
  ] as const;
  expect(commandLines(commands, null)).toEqual(['  palimpsest why x   what it saw', '  palimpsest doctor  is all well?']);
  expect(commandLines(commands, 30)).toEqual(['  palimpsest why x', '      what it saw', '  palimpsest doctor', '      is all well?']);
});

it('counts in words', () => {
  expect([counted(0, 'step'), counted(1, 'step'), counted(1234, 'reply', 'replies')]).toEqual(['0 steps', '1 step', '1,234 replies']);
});

it('draws bars that show what is not nothing and never overflow', () => {
  expect(bar(0, 10, true)).toBe('..........');
  expect(bar(0.001, 10, true)).toBe('#.........');
  expect(bar(0.5, 10, false)).toBe('█████░░░░░');
  expect(bar(7, 4, true)).toBe('####');
});

it('draws a tree with its leaf, forks and marks, within the width', () => {
  const branch = {
    parent: null,
    depth: 0,
    from: 'aaaa',
    through: 'bbbb',
    entries: 1200,
    isCurrent: true,
    hasLeaf: false,
    opening: 'user_input: a question of some length',
    marks: [],
  };
  const marks = [
    { kind: 'compaction', entry: 'mmmm', text: 'by compressor', undone: true },
    { kind: 'label', entry: 'llll', text: 'good' },
  ];
  const tree = {
    record: { id: 's', entries: 1201, leaf: 'cccc', parent: { session: 'p', entry: 'e' } },
    branches: [branch, { ...branch, parent: 0, depth: 1, from: 'cccc', through: 'cccc', entries: 1, hasLeaf: true, marks }],
  };
  expect(treeLines(tree as unknown as SessionTree, 30)).toEqual([
    's: 1,201 entries, 2 branches,',
    '  leaf cccc',
    'forked from p at e',
    '* 1: aaaa..bbbb (1,200)',
    '    user_input: a question of…',
    '  * 2 from 1: cccc..cccc (1, LEAF)',
    '      user_input: a question …',
    '      compaction mmmm (undone…',
    '      label llll: good',
  ]);
});

it('breaks sentences between words, keeps their first indent, and leaves them whole in a pipe', () => {
  expect(wrapped('  one two three four', 12, '    ')).toBe('  one two\n    three\n    four');
  expect(wrapped('short averyveryverylongword end', 10)).toBe('short\naveryveryverylongword\nend');
  expect(wrapped('one two three', null)).toBe('one two three');
});
