import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BranchReader, EntryId, Placed } from '@palimpsest/contracts';
import { groupsOldestFirst, type Group } from './groups.ts';

const id = (index: number): EntryId => `e${String(index)}` as EntryId;

/** A path from the group (by index of its first entry) of each entry; entry `i` costs `i` tokens. `covers` ends covered stretches; it says what each shows. */
function branchOf(
  groups: readonly number[],
  covers: Readonly<Record<number, 'summary' | 'gap'>> = {},
  silent: readonly number[] = [],
): BranchReader {
  const placed = groups.map((group, index) => {
    const end = Object.keys(covers)
      .map(Number)
      .find((through) => through >= index);
    const segment = end !== undefined && covers[end] === 'summary' ? { through: id(end), show: 'summary', tokens: 100 } : null;
    return {
      entry: { id: id(index) },
      shape: silent.includes(index) ? { kind: 'silent' } : end === undefined ? { kind: 'whole' } : { kind: 'covered', by: id(99), segment },
      shownTokens: end === undefined && !silent.includes(index) ? index : 0,
      group: id(group),
    } as unknown as Placed;
  });
  async function* walk(items: readonly Placed[]): AsyncGenerator<Placed> {
    for (const item of items) yield await Promise.resolve(item);
  }
  const at = (wanted: EntryId | null): number => placed.findIndex(({ entry }) => entry.id === wanted);
  return {
    newestFirst: (from) => walk(placed.slice(0, from === undefined ? undefined : at(from) + 1).toReversed()),
    oldestFirst: (after) => walk(placed.slice(at(after) + 1)),
    get: (wanted) => Promise.resolve(placed[at(wanted)] ?? null),
    first: id(0),
    last: id(placed.length - 1),
    shownTokens: 0,
    compaction: null,
  };
}
async function groupsOf(
  groups: readonly number[],
  after: EntryId | null = null,
  covers: Readonly<Record<number, 'summary' | 'gap'>> = {},
): Promise<readonly Group[]> {
  const found: Group[] = [];
  for await (const group of groupsOldestFirst(branchOf(groups, covers), after)) found.push(group);
  return found;
}
const ids = (groups: readonly Group[]): readonly string[] => groups.map(({ placed }) => placed.map(({ entry }) => entry.id).join(' '));

it('keeps a call, its results and what stands between them together', async () => {
  expect(ids(await groupsOf([0, 1, 1, 3, 1, 5, 6, 6]))).toEqual(['e0', 'e1 e2 e3 e4', 'e5', 'e6 e7']);
});

it('keeps groups that overlap together', async () => {
  expect(ids(await groupsOf([0, 1, 0, 1, 4]))).toEqual(['e0 e1 e2 e3', 'e4']);
});

it('takes the silent entries behind a covered stretch along: one of them may be its edge', async () => {
  const branch = branchOf([0, 1, 2, 3, 4], { 1: 'summary' }, [2, 3]);
  const found: Group[] = [];
  for await (const one of groupsOldestFirst(branch, null)) found.push(one);
  expect(ids(found)).toEqual(['e0 e1 e2 e3', 'e4']);
  expect(found[0]?.shownTokens).toBe(100);
});

it('keeps two gaps of one compaction apart where something is shown between them', async () => {
  expect(ids(await groupsOf([0, 1, 2, 3, 4], null, { 1: 'gap' }))).toEqual(['e0 e1', 'e2', 'e3', 'e4']);
  const apart = branchOf([0, 1, 2, 3, 4]);
  const gap = { kind: 'covered', by: id(99), segment: null } as const;
  const gaps: BranchReader = {
    ...apart,
    oldestFirst: (after) => gapped(apart.oldestFirst(after)),
    newestFirst: () => gapped(apart.newestFirst()),
  };
  async function* gapped(items: AsyncIterable<Placed>): AsyncGenerator<Placed> {
    for await (const placed of items) yield ['e0', 'e1', 'e3'].includes(placed.entry.id) ? { ...placed, shape: gap } : placed;
  }
  const found: Group[] = [];
  for await (const one of groupsOldestFirst(gaps, null)) found.push(one);
  expect(ids(found)).toEqual(['e0 e1', 'e2', 'e3', 'e4']);
});

it('carries what the compaction in force shows of it, as far as the group goes', async () => {
  const found = await groupsOf([0, 1, 2, 3, 4, 5], null, { 1: 'summary', 3: 'gap' });
  expect(found.map(({ covered }) => covered && [covered.show, covered.through])).toEqual([
    ['summary', 'e1'],
    ['nothing', 'e3'],
    null,
    null,
  ]);
  const gap = { through: id(3), show: 'nothing', reason: 'old news', reach: 'search' } as const;
  const branch = { ...branchOf([0, 1, 2, 3, 4], { 3: 'gap' }), compaction: { segments: [gap] } } as unknown as BranchReader;
  const groups: Group[] = [];
  for await (const group of groupsOldestFirst(branch, null)) groups.push(group);
  expect(groups[0]?.covered).toEqual(gap);
});

it('starts after an edge', async () => {
  expect(ids(await groupsOf([0, 0, 2, 3, 3], id(1)))).toEqual(['e2', 'e3 e4']);
  expect(await groupsOf([0, 0], id(1))).toEqual([]);
  expect(await groupsOf([])).toEqual([]);
});

it('reads only the stretch it is asked for', async () => {
  const branch = branchOf([0, 1, 2, 3, 4]);
  const seen: EntryId[] = [];
  const watched: BranchReader = {
    ...branch,
    newestFirst: async function* () {
      for await (const one of branch.newestFirst()) {
        seen.push(one.entry.id);
        yield one;
      }
    },
  };
  for await (const { through } of groupsOldestFirst(watched, id(2))) expect(['e3', 'e4']).toContain(through);
  expect(seen).toEqual(['e4', 'e3', 'e2']);
});

it('says how far each goes and what it costs', async () => {
  expect((await groupsOf([0, 1, 1])).map(({ through, shownTokens }) => [through, shownTokens])).toEqual([
    ['e0', 0],
    ['e2', 3],
  ]);
});

it('keeps what one summary or gap covers together, and counts the summary once', async () => {
  const found = await groupsOf([0, 1, 2, 3, 4, 5, 6], null, { 2: 'summary', 3: 'gap', 5: 'summary' });
  expect(ids(found)).toEqual(['e0 e1 e2', 'e3', 'e4 e5', 'e6']);
  expect(found.map(({ shownTokens }) => shownTokens)).toEqual([100, 0, 100, 6]);
});

it('partitions any path, cuts no group, and holds together only what has to', async () => {
  // Each entry is its own group or joins that of an earlier entry.
  const path = fc
    .array(fc.option(fc.nat({ max: 30 }), { freq: 2 }), { maxLength: 30 })
    .map((joins) =>
      joins.reduce<number[]>(
        (groups, join, index) => [...groups, join === null || index === 0 ? index : (groups[join % index] ?? index)],
        [],
      ),
    );
  await fc.assert(
    fc.asyncProperty(path, async (groups) => {
      const found = await groupsOf(groups);
      expect(found.flatMap(({ placed }) => placed.map(({ entry }) => entry.id))).toEqual(groups.map((_, index) => id(index)));
      for (const { through } of found) {
        const edge = Number(through.slice(1));
        expect(groups.slice(edge + 1).every((group) => group > edge)).toBe(true);
      }
      const edges = groups.filter((_, index) => groups.slice(index + 1).every((group) => group > index)).length;
      expect(found.length).toBe(edges);
    }),
    { seed: 31, numRuns: 300 },
  );
});
