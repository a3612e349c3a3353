import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { MemoryBranch } from '../test/memory-branch.ts';
import { anyBranch } from '../test/any-branch.ts';
import { hasRealUser, hasReply, openBatch, startsWithResult } from './facts.ts';
import { entryBundles, tokensOf } from './bundles.ts';

const bundlesOf = (branch: MemoryBranch): ReturnType<typeof entryBundles> => entryBundles(branch.reader().placed);

describe('bundles', () => {
  it('keep a call with all its results, and what stands between them', () => {
    const branch = new MemoryBranch();
    branch.user('go');
    const asked = branch.tools([
      { id: 'a', output: null },
      { id: 'b', output: null },
    ]);
    branch.result('a', 'one');
    branch.silent();
    branch.user('and hurry');
    const last = branch.result('b', 'two');
    branch.reply('done');
    const bundles = bundlesOf(branch);
    expect(bundles.map(({ placed }) => placed.length)).toEqual([1, 5, 1]);
    expect(bundles[1]).toMatchObject({ through: last, messages: 4 });
    expect(bundles[1]?.placed[0]?.entry.id).toBe(asked);
  });

  it('give silent entries to the next shown one, and the last ones to the one before', () => {
    const branch = new MemoryBranch();
    branch.silent();
    const first = branch.user('go');
    branch.silent();
    branch.reply('done');
    const last = branch.silent();
    expect(bundlesOf(branch).map(({ through }) => through)).toEqual([first, last]);
  });

  it('hold every entry once, in order, and no group is split', () => {
    fc.assert(
      fc.property(anyBranch(), (branch) => {
        const placed = branch.reader().placed;
        const bundles = entryBundles(placed);
        expect(bundles.flatMap((bundle) => bundle.placed)).toEqual(placed);
        expect(tokensOf(bundles)).toBe(branch.reader().shownTokens);
        const bundleOfGroup = new Map<string, number>();
        for (const [at, bundle] of bundles.entries())
          for (const { group } of bundle.placed) expect(bundleOfGroup.set(group, bundleOfGroup.get(group) ?? at).get(group)).toBe(at);
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});

describe('facts', () => {
  it('a real user message has text, or an image alone, and comes from a person', () => {
    const branch = new MemoryBranch();
    branch.user('   ');
    branch.user('go on', 'continuation');
    branch.user('an older summary', 'handoff');
    branch.message({ role: 'user', content: [{ type: 'image', image: 'aGk=' }] }, 'user_input');
    branch.user('please');
    expect(bundlesOf(branch).map(hasRealUser)).toEqual([false, false, false, true, true]);
  });

  it('a reply has text; calls alone are none', () => {
    const branch = new MemoryBranch();
    branch.reply('\n');
    branch.tools([{}]);
    branch.tools([{}], 'I look');
    branch.reply('done');
    expect(bundlesOf(branch).map(hasReply)).toEqual([false, false, true, true]);
  });

  it('R32: a batch is open while a call of the newest reply waits, whatever ids older calls had', () => {
    const branch = new MemoryBranch();
    branch.user('go');
    branch.tools([{ id: 'a', output: null }]);
    expect(openBatch(bundlesOf(branch))).toBe(1);
    branch.result('a', 'one');
    expect(openBatch(bundlesOf(branch))).toBe(-1);
    branch.tools([
      { id: 'a', output: null },
      { id: 'b', output: null },
    ]);
    branch.result('b', 'one');
    expect(openBatch(bundlesOf(branch))).toBe(2);
  });

  it('an orphaned result is no start', () => {
    const branch = new MemoryBranch();
    branch.result('nobody', 'asked');
    branch.tools([{}]);
    expect(bundlesOf(branch).map(startsWithResult)).toEqual([true, false]);
  });
});
