import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { CompactOutcome, EntryId, Placed, Segment, Trigger } from '@palimpsest/contracts';
import { anyBranch, anySteps, grow } from '../test/any-branch.ts';
import { MemoryBranch, shownTokensUnder, stretches } from '../test/memory-branch.ts';
import { budgetOf, engineOf, requestOf, segmentsOf, summaryTexts } from '../test/requests.ts';
import { mustKeep } from './keep.ts';
import { parsed } from './summary/format.ts';
import { entryBundles, tokensOf } from './bundles.ts';

const options = fc.record({
  protect_first_n: fc.nat(5),
  protect_last_n: fc.integer({ min: 1, max: 25 }),
  target_ratio: fc.double({ min: 0.1, max: 0.8, noNaN: true }),
  min_tail_user_messages: fc.integer({ min: 1, max: 4 }),
});
const trigger = fc.constantFrom<Trigger>('threshold', 'overflow', 'manual');
/** A summary gets at least this much, and a stretch that is not larger than a summary's frame stays as it is. */
const LEAST_PER_STRETCH = 256;

function partsOf(
  branch: MemoryBranch,
  segments: readonly Segment[],
): { readonly shown: ReadonlySet<EntryId>; readonly groups: ReadonlyMap<EntryId, ReadonlySet<number>> } {
  const shown = new Set<EntryId>();
  const groups = new Map<EntryId, Set<number>>();
  for (const [at, { segment, inside }] of stretches(branch.reader().placed, segments).entries()) {
    for (const { entry, group } of inside) {
      if (segment.show === 'entries') shown.add(entry.id);
      groups.set(group, (groups.get(group) ?? new Set()).add(at));
    }
  }
  return { shown, groups };
}

/** What no compaction of a fresh branch can get below. */
function floorOf(placed: readonly Placed[], protectedIds: ReadonlySet<EntryId>): number {
  const bundles = entryBundles(placed);
  const must = mustKeep(bundles, protectedIds);
  const runs = must.filter((kept, at) => !kept && must[at - 1] !== false).length;
  return tokensOf(bundles.filter((_, at) => must[at] === true)) + runs * LEAST_PER_STRETCH;
}

function check(branch: MemoryBranch, outcome: CompactOutcome, goalTokens: number, protectedEntries: readonly EntryId[]): void {
  const before = branch.reader().shownTokens;
  if (outcome.kind !== 'compacted') return;
  const segments = segmentsOf(outcome);
  const { shown, groups } = partsOf(branch, segments);
  for (const parts of groups.values()) expect(parts.size).toBe(1);
  for (const id of [branch.newestUserEntry(), ...protectedEntries]) if (id !== null) expect(shown).toContain(id);
  expect(segments.at(-1)?.show).not.toBe('entries');
  const after = shownTokensUnder(branch.reader().placed, segments);
  expect(after).toBeLessThan(before);
  expect(outcome.drafts.compaction?.short).toContain(`${String(before)} to ${String(after)} tokens`);
  if (
    branch.reader().compaction === null &&
    goalTokens >=
      floorOf(
        branch.reader().placed,
        new Set([...protectedEntries, ...(branch.newestUserEntry() === null ? [] : [branch.newestUserEntry() as EntryId])]),
      )
  ) {
    expect(after).toBeLessThanOrEqual(goalTokens);
  }
}

describe('on any branch', () => {
  it('segments partition it, no group is cut, what is protected is shown, and the goal is reached wherever it can be', async () => {
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(
        anyBranch(),
        options,
        trigger,
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.array(fc.nat(100), { maxLength: 3 }),
        async (branch, chosen, triggered, share, picks) => {
          const reader = branch.reader();
          const goalTokens = Math.floor(reader.shownTokens * share);
          const ids = reader.placed.filter(({ shape }) => shape.kind !== 'silent').map(({ entry }) => entry.id);
          const protectedEntries = picks.flatMap((pick) => ids[pick] ?? []);
          const outcome = await engineOf(chosen).compact(requestOf(branch, { trigger: triggered, goalTokens, protectedEntries }));
          check(branch, outcome, goalTokens, protectedEntries);
          if (outcome.kind === 'compacted') compacted += 1;
          if (outcome.kind === 'irreducible')
            expect(goalTokens).toBeLessThan(
              floorOf(
                reader.placed,
                new Set([...protectedEntries, ...(branch.newestUserEntry() === null ? [] : [branch.newestUserEntry() as EntryId])]),
              ),
            );
          expect(outcome.kind).not.toBe('failed');
        },
      ),
      { seed: 11, numRuns: 80 },
    );
    expect(compacted).toBeGreaterThan(40);
  });

  it('compactions that follow each other stay valid, and covered entries never come back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySteps(25), { minLength: 2, maxLength: 5 }), options, async (rounds, chosen) => {
        const branch = new MemoryBranch();
        const engine = engineOf(chosen);
        let covered: ReadonlySet<EntryId> = new Set();
        for (const steps of rounds) {
          grow(branch, steps);
          const goalTokens = Math.floor(branch.reader().shownTokens / 2);
          const outcome = await engine.compact(requestOf(branch, { goalTokens }));
          check(branch, outcome, goalTokens, []);
          if (outcome.kind !== 'compacted') continue;
          const { shown } = partsOf(branch, segmentsOf(outcome));
          for (const id of covered) expect(shown).not.toContain(id);
          branch.commit({ segments: segmentsOf(outcome) });
          covered = new Set(
            branch
              .reader()
              .placed.filter(({ shape }) => shape.kind === 'covered')
              .map(({ entry }) => entry.id),
          );
        }
      }),
      { seed: 12, numRuns: 25 },
    );
  });

  it('the best identifiers of a summary are in the next one too', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(anySteps(30), anySteps(30), async (before, later) => {
        const branch = grow(new MemoryBranch(), before);
        const engine = engineOf();
        const ask = { budget: budgetOf(200_000, 20_000), trigger: 'manual' as const, goalTokens: 100_000, keepRecent: 300 };
        const first = await engine.compact(requestOf(branch, ask));
        if (first.kind !== 'compacted' || summaryTexts(first).length !== 1 || branch.reader().shownTokens < 6_000) return;
        branch.commit({ segments: segmentsOf(first) });
        grow(branch, later);
        const second = await engine.compact(requestOf(branch, ask));
        const [firstText = ''] = summaryTexts(first);
        if (second.kind !== 'compacted' || segmentsOf(second)[0]?.show !== 'summary') return;
        const text = summaryTexts(second).join('\n');
        for (const identifier of parsed(firstText).identifiers.slice(0, 8)) {
          seen += 1;
          expect(text).toContain(identifier);
        }
      }),
      { seed: 13, numRuns: 100 },
    );
    expect(seen).toBeGreaterThan(100);
  });
});
