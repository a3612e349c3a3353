import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryId, Placed } from '@palimpsest/contracts';
import { foldRun } from './folds.ts';
import { leafRuns, tailStart } from './leaves.ts';
import type { Piece } from './pieces.ts';

interface Spec {
  readonly tokens: number;
  readonly opensTurn?: boolean;
  readonly fixed?: boolean;
  readonly node?: boolean;
  readonly gap?: boolean;
}

const piece = ({ tokens, opensTurn = false, fixed = false, node = false, gap = false }: Spec, at: number): Piece => {
  const base = { placed: [] as readonly Placed[], through: `e${String(at)}` as EntryId, tokens };
  if (gap) return { ...base, kind: 'covered', segment: { through: base.through, show: 'nothing', reason: 'r', reach: null } };
  if (node)
    return {
      ...base,
      kind: 'covered',
      segment: { through: base.through, show: 'summary', text: { inline: 's' }, tokens, quality: 'extract', trust: 'tool' },
    };
  return { ...base, kind: 'shown', opensTurn, fixed };
};
const pieces = (...specs: readonly Spec[]): readonly Piece[] => specs.map(piece);
const rules = { sourceTokens: 100, tailTokens: 0 };

it('ends a leaf where a turn begins, once it is large enough', () => {
  const turn = [{ tokens: 30, opensTurn: true }, { tokens: 40 }];
  expect(leafRuns(pieces(...turn, ...turn, ...turn), rules)).toEqual([
    { from: 0, to: 4 },
    { from: 4, to: 6 },
  ]);
});

it('cuts a turn larger than twice a leaf between its steps', () => {
  expect(leafRuns(pieces({ tokens: 90, opensTurn: true }, { tokens: 90 }, { tokens: 90 }, { tokens: 90 }), rules)).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 4 },
  ]);
});

it('leaves alone what is fixed, covered, or in the tail', () => {
  expect(
    leafRuns(pieces({ tokens: 50 }, { tokens: 50, fixed: true }, { tokens: 50 }, { tokens: 5, node: true }, { tokens: 50 }), rules),
  ).toEqual([
    { from: 0, to: 1 },
    { from: 2, to: 3 },
    { from: 4, to: 5 },
  ]);
  expect(leafRuns(pieces({ tokens: 50 }, { tokens: 50 }, { tokens: 50 }), { ...rules, tailTokens: 100 })).toEqual([{ from: 0, to: 1 }]);
  expect(leafRuns(pieces({ tokens: 0 }, { tokens: 0 }), rules)).toEqual([]);
});

it('takes a tail that fits, and nothing covered into it', () => {
  expect(tailStart(pieces({ tokens: 10 }, { tokens: 10 }, { tokens: 10 }), 25)).toBe(1);
  expect(tailStart(pieces({ tokens: 10, node: true }, { tokens: 10 }), 100)).toBe(1);
  expect(tailStart(pieces({ tokens: 10 }), 5)).toBe(1);
});

it('folds the oldest full run of neighbours, else the oldest of two or more', () => {
  const nodes = (count: number): readonly Spec[] => Array.from({ length: count }, () => ({ tokens: 10, node: true }));
  expect(foldRun(pieces(...nodes(2), { tokens: 5 }, ...nodes(4)), 3)).toEqual({ from: 3, to: 6 });
  expect(foldRun(pieces(...nodes(2), { tokens: 5 }, ...nodes(1)), 3)).toEqual({ from: 0, to: 2 });
  expect(foldRun(pieces(...nodes(1), { tokens: 5, gap: true }, ...nodes(1)), 3)).toBeNull();
  expect(foldRun([], 3)).toBeNull();
});

const anyPieces = fc
  .array(fc.record({ tokens: fc.nat(80), opensTurn: fc.boolean(), fixed: fc.boolean(), node: fc.boolean() }), { maxLength: 40 })
  .map((specs) => specs.map(piece));

it('runs never overlap, never hold what has to stay, and each frees something', () => {
  fc.assert(
    fc.property(anyPieces, fc.nat(200), fc.integer({ min: 1, max: 200 }), (list, tailTokens, sourceTokens) => {
      let end = 0;
      for (const { from, to } of leafRuns(list, { sourceTokens, tailTokens })) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        expect(list.slice(from, to).every((one) => one.kind === 'shown' && !one.fixed)).toBe(true);
        expect(list.slice(from, to).reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(0);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(tailStart(list, tailTokens));
    }),
    { seed: 41, numRuns: 300 },
  );
});
