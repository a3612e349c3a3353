import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contextPlan, type BranchReader, type EntryId } from '@palimpsest/contracts';
import { everything, segmentsFrom, type Showing, type Piece } from './plans.ts';

const id = (text: string): EntryId => text as EntryId;
const entries: Showing = { show: 'entries' };
const nothing = (reason: string, reach: string | null = null): Showing => ({ show: 'nothing', reason, reach });
const summary = (text: string): Showing => ({ show: 'summary', text: { inline: text }, tokens: 3, quality: 'extract', trust: 'user' });
const pieces = (...showings: readonly Showing[]): readonly Piece[] =>
  showings.map((showing, index) => ({ through: id(`e${String(index)}`), showing }));

it('shows everything with one segment that ends at the leaf', () => {
  const plan = everything({ branch: { last: id('leaf'), shownTokens: 12 } as BranchReader });
  expect(plan).toEqual({ segments: [{ through: 'leaf', show: 'entries' }], estimateTokens: 12 });
  expect(contextPlan.safeParse(plan).success).toBe(true);
});

it('joins neighbours that show the same', () => {
  const one = summary('one');
  expect(segmentsFrom(pieces(one, one, entries, entries, nothing('old'), nothing('old'), entries))).toEqual([
    { through: 'e1', ...one },
    { through: 'e3', show: 'entries' },
    { through: 'e5', show: 'nothing', reason: 'old', reach: null },
    { through: 'e6', show: 'entries' },
  ]);
});

it('keeps apart what only looks alike', () => {
  expect(segmentsFrom(pieces(summary('x'), summary('x')))).toHaveLength(2);
  expect(segmentsFrom(pieces(nothing('a'), nothing('b'), nothing('b', 'search')))).toHaveLength(3);
  expect(segmentsFrom([])).toEqual([]);
});

it('says of every entry what the pieces say, in the fewest segments', () => {
  const shared = [entries, nothing('a'), nothing('b'), nothing('a', 'search'), summary('x'), summary('x')];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...shared), { maxLength: 20 }), (showings) => {
      const given = pieces(...showings);
      const segments = segmentsFrom(given);
      const shown = given.map(({ through }) => segments.find((segment) => Number(segment.through.slice(1)) >= Number(through.slice(1))));
      expect(shown.map((segment) => ({ ...segment, through: '' }))).toEqual(showings.map((showing) => ({ ...showing, through: '' })));
      expect(segments.at(-1)?.through).toBe(given.at(-1)?.through);
      const changes = showings.filter((showing, index) => index > 0 && showing !== showings[index - 1]).length;
      expect(segments.length).toBe(showings.length === 0 ? 0 : changes + 1);
      expect(contextPlan.safeParse({ segments, estimateTokens: 0 }).success).toBe(true);
    }),
    { seed: 32 },
  );
});
