import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Body, Entry, EntryId, EntryKind, Store } from '@palimpsest/contracts';
import { anyBody } from '../arbitraries.ts';
import { draftOf, entryIdOf, sessionIdOf, sessionOf } from '../drafts.ts';
import { wholeBranch } from './branch-rules.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';

const S = sessionIdOf('s');

type Step =
  | { readonly do: 'append'; readonly bodies: readonly Body[]; readonly stale: boolean }
  | { readonly do: 'move'; readonly to: number }
  | { readonly do: 'branch'; readonly from: number; readonly limit: number; readonly kinds: readonly EntryKind[] | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      bodies: fc.array(anyBody(), { minLength: 1, maxLength: 4 }),
      stale: fc.nat(9).map((dice) => dice === 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('branch' as const),
      from: fc.nat(40),
      limit: fc.integer({ min: 1, max: 6 }),
      kinds: fc.option(fc.uniqueArray(fc.constantFrom<EntryKind>('message', 'custom', 'label'))),
    }),
  },
);

/** The plainest log there is: a list, and parents by position. */
class Naive {
  readonly entries: Entry[] = [];
  leaf: EntryId | null = null;

  append(bodies: readonly Body[]): Entry[] {
    return bodies.map((body) => {
      const id = entryIdOf(`n${String(this.entries.length + 1)}`);
      const parent = this.entries.find((entry) => entry.id === this.leaf);
      const entry = {
        ...draftOf(body, { id, tokens: 3 }),
        parent: parent?.id ?? null,
        session: S,
        seq: this.entries.length + 1,
        depth: parent === undefined ? 0 : parent.depth + 1,
      } as Entry;
      this.entries.push(entry);
      this.leaf = id;
      return entry;
    });
  }

  path(from: EntryId): Entry[] {
    const entry = this.entries.find(({ id }) => id === from);
    if (entry === undefined) return [];
    return [entry, ...(entry.parent === null ? [] : this.path(entry.parent))];
  }

  /** Any entry, or null for one choice more. */
  pick(dice: number): EntryId | null {
    return this.entries[dice % (this.entries.length + 1)]?.id ?? null;
  }
}

async function apply(store: Store, naive: Naive, move: Step): Promise<void> {
  if (move.do === 'move') {
    naive.leaf = naive.pick(move.to);
    await store.log.moveLeaf(S, naive.leaf, null);
  } else if (move.do === 'branch') {
    const from = naive.pick(move.from);
    if (from === null) return;
    const expected = naive.path(from).filter((entry) => move.kinds === null || move.kinds.includes(entry.kind));
    expect(await wholeBranch(store, from, move.limit, move.kinds ?? undefined)).toEqual(expected);
  } else if (move.stale) {
    const wrong = entryIdOf('of nobody');
    expect(
      await codeOf(store.log.append({ session: S, leaf: wrong, fence: null, entries: [draftOf(move.bodies[0] as Body, { id: 'never' })] })),
    ).toBe('LOG_LEAF_MOVED');
  } else {
    const leaf = naive.leaf;
    const expected = naive.append(move.bodies);
    expect(await store.log.append({ session: S, leaf, fence: null, entries: expected })).toEqual(expected);
  }
  expect(await store.log.session(S)).toMatchObject({ leaf: naive.leaf, entries: naive.entries.length });
}

export function modelRules(open: OpenFixture): void {
  describe('any tree of appends and moves', () => {
    withStore(open, 'is the tree that a plain list gives', async ({ store }) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
          await store.log.drop(S, null);
          await store.log.open(sessionOf('s'));
          const naive = new Naive();
          for (const move of steps) await apply(store, naive, move);
          expect(
            await store.log.get(
              S,
              naive.entries.map(({ id }) => id),
            ),
          ).toEqual(naive.entries);
        }),
        { seed: 20260101, numRuns: 60 },
      );
    });
  });
}
