import { expect, it } from 'vitest';
import type { Body, Entry } from '@palimpsest/contracts';
import { Planted } from './tree.ts';

const said = (text: string): Body => ({
  kind: 'message',
  origin: 'user_input',
  message: { role: 'user', content: [{ type: 'text', text }] },
});
const compaction: Body = { kind: 'compaction', by: 'test', trigger: 'manual', segments: [], tokensBefore: 9, tokensAfter: 3 };

/** `a<b` is an entry a under b. */
function planted(...entries: readonly (readonly [string, Body])[]): Planted {
  const tree = new Planted();
  for (const [index, [name, body]] of entries.entries()) {
    const [id = '', parent = null] = name.split('<');
    tree.add({ id, parent, session: 's', seq: index + 1, depth: 0, time: '', turn: null, tokens: 0, ...body } as unknown as Entry);
  }
  return tree;
}
const shape = (tree: Planted, leaf: string | null) =>
  tree.branches(leaf as Entry['id'] | null).map(({ parent, depth, from, through, entries, hasLeaf, isCurrent }) => ({
    parent,
    depth,
    stretch: `${from}..${through} ${String(entries)}`,
    hasLeaf,
    isCurrent,
  }));

it('is one branch for a line, and none for nothing', () => {
  expect(shape(planted(), null)).toEqual([]);
  expect(shape(planted(['a', said('one')], ['b<a', said('two')]), 'b')).toEqual([
    { parent: null, depth: 0, stretch: 'a..b 2', hasLeaf: true, isCurrent: true },
  ]);
});

it('splits where entries have several successors, each branch before its own', () => {
  const tree = planted(
    ['a', said('1')],
    ['b<a', said('2')],
    ['c<b', said('3')],
    ['d<b', said('4')],
    ['e<c', said('5')],
    ['f<c', said('6')],
    ['g', said('7')],
  );
  expect(shape(tree, 'd')).toEqual([
    { parent: null, depth: 0, stretch: 'a..b 2', hasLeaf: false, isCurrent: true },
    { parent: 0, depth: 1, stretch: 'c..c 1', hasLeaf: false, isCurrent: false },
    { parent: 1, depth: 2, stretch: 'e..e 1', hasLeaf: false, isCurrent: false },
    { parent: 1, depth: 2, stretch: 'f..f 1', hasLeaf: false, isCurrent: false },
    { parent: 0, depth: 1, stretch: 'd..d 1', hasLeaf: true, isCurrent: true },
    { parent: null, depth: 0, stretch: 'g..g 1', hasLeaf: false, isCurrent: false },
  ]);
});

it('tells compactions, those that were undone, and the newest label', () => {
  const label = (target: string, text: string | null): Body => ({ kind: 'label', target: target as Entry['id'], label: text });
  const tree = planted(
    ['a', said('one')],
    ['b<a', compaction],
    ['c<b', { kind: 'undo', lifts: 'b' as Entry['id'] }],
    ['d<c', compaction],
    ['e<d', label('a', 'old')],
    ['f<e', label('a', 'new')],
    ['g<f', label('d', null)],
  );
  expect(tree.branches(null)[0]?.marks).toEqual([
    { kind: 'label', entry: 'a', text: 'new' },
    { kind: 'compaction', entry: 'b', text: 'by test, manual: 9 → 3 tokens', undone: true },
    { kind: 'compaction', entry: 'd', text: 'by test, manual: 9 → 3 tokens', undone: false },
  ]);
});

it('takes a tree that forks thousands of times', () => {
  const entries: (readonly [string, Body])[] = [['n0', said('0')]];
  for (let fork = 1; fork <= 5_000; fork += 1)
    entries.push([`n${String(fork)}<n${String(fork - 1)}`, said('x')], [`m${String(fork)}<n${String(fork - 1)}`, said('y')]);
  const branches = planted(...entries).branches('n5000' as Entry['id']);
  expect(branches).toHaveLength(10_001);
  expect(branches.filter(({ hasLeaf }) => hasLeaf)).toHaveLength(1);
});
