import { describe, expect, it } from 'vitest';
import { isShownEntry } from '@palimpsest/contracts';
import type { EntryId, Shown } from '@palimpsest/contracts';
import { branchOf } from '../test/branch.ts';
import { budgetOf } from '../test/budgets.ts';
import { partsOf } from './parts.ts';
import { protectionOf } from './protection.ts';
import { bundlesOf } from './bundles.ts';

const two = {
  calls: [
    { tool: 'read', input: { path: 'a' }, result: 'A' },
    { tool: 'read', input: { path: 'b' }, result: 'B' },
  ],
};

describe('bundles', () => {
  it('a group is one bundle with everything inside it; together the bundles are the branch', () => {
    const shown = branchOf([{ user: 'u' }, { silent: true }, two, { says: 'x' }]);
    expect(bundlesOf(shown).map(({ from, to, kind }) => [from, to, kind])).toEqual([
      [0, 1, 'entries'],
      [1, 2, 'silent'],
      [2, 5, 'entries'],
      [5, 6, 'entries'],
    ]);
  });

  it('what stands inside an interrupted group goes with it', () => {
    const shown = branchOf([{ user: 'u' }, two, { user: 'meanwhile' }, { says: 'x' }]);
    const late = shown.map((block, at): Shown =>
      at === 4 && isShownEntry(block)
        ? { kind: 'entry', placed: { ...block.placed, entry: { ...block.placed.entry }, group: 'e2' as EntryId } }
        : block,
    );
    expect(bundlesOf(late).map(({ from, to }) => [from, to])).toEqual(
      [
        [0, 1],
        [1, 5],
        [5, 6],
      ].slice(0, 3),
    );
  });

  it('an entry without a turn belongs to the input before it', () => {
    expect(bundlesOf(branchOf([{ user: 'u' }, { says: 'x' }, { user: 'v' }, two])).map(({ turn }) => turn)).toEqual([
      'e1',
      'e1',
      'e3',
      'e3',
    ]);
  });
});

describe('parts and protection', () => {
  it('a result knows the call that asked for it, though ids repeat', () => {
    const parts = partsOf(branchOf([two, { calls: [{ tool: 'bash', input: { command: 'ls' }, result: 'C' }] }]));
    expect(parts.filter(({ target }) => target === 'result').map(({ tool, input }) => [tool, input])).toEqual([
      ['read', { path: 'a' }],
      ['read', { path: 'b' }],
      ['bash', { command: 'ls' }],
    ]);
  });

  it('shares add up to what the entry costs', () => {
    const shown = branchOf([{ says: 'word '.repeat(100), calls: two.calls }]);
    const first = partsOf(shown)
      .filter(({ at }) => at === 0)
      .reduce((sum, { tokens }) => sum + tokens, 0);
    expect(Math.abs(first - (shown[0]?.kind === 'entry' ? shown[0].placed.shownTokens : 0))).toBeLessThanOrEqual(2);
  });

  it('the open batch is the last group, and none once something follows', () => {
    const open = (...says: Parameters<typeof branchOf>[0]): EntryId | null => {
      const shown = branchOf(says);
      return protectionOf(shown, partsOf(shown), budgetOf(1_000), null).openGroup;
    };
    expect(open({ user: 'u' }, two, { silent: true })).toBe('e2');
    expect(open({ user: 'u' }, two, { says: 'done' })).toBeNull();
    expect(open({ user: 'u' }, two, { user: 'wait' })).toBeNull();
    expect(open({ user: 'u' })).toBeNull();
    expect(open()).toBeNull();
  });
});
