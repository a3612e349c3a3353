import { describe, expect } from 'vitest';
import type { Entry, EntryId, EntryKind, Store } from '@palimpsest/contracts';
import { assistantDraft, customDraft, entryIdOf, sessionIdOf, sessionOf, userDraft } from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';
import { write } from './log-rules.ts';

const S = sessionIdOf('s');

/** The whole path, newest first, read in pages. */
export async function wholeBranch(store: Store, leaf: EntryId, limit: number, kinds?: readonly EntryKind[]): Promise<Entry[]> {
  const found: Entry[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const page = await store.log.branch(S, leaf, {
      limit,
      ...(before === undefined ? {} : { before }),
      ...(kinds === undefined ? {} : { kinds }),
    });
    if (page.length > limit) throw new Error(`a page of ${String(page.length)}, asked for ${String(limit)}`);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id);

export function branchRules(open: OpenFixture): void {
  describe('branch', () => {
    walkRules(open);
    pageRules(open);
    orderRules(open);
  });
}

function orderRules(open: OpenFixture): void {
  withStore(open, 'reads every branch in the order of seq, page by page', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    expect(await store.log.entries(S, { limit: 5 })).toEqual([]);
    const ids = ['a', 'b', 'c'].map(entryIdOf);
    await write(store, ...ids.map((id) => userDraft('x', { id, turn: entryIdOf('a') })));
    await store.log.moveLeaf(S, entryIdOf('a'), null);
    await write(store, customDraft('d', 1, null, { id: 'd' }));
    await store.log.open(sessionOf('t'));
    await store.log.append({ session: sessionIdOf('t'), leaf: null, fence: null, entries: [userDraft('y', { id: 'y' })] });
    const all = await store.log.get(S, [...ids, entryIdOf('d')]);
    expect(all.map(({ parent }) => parent)).toEqual([null, 'a', 'b', 'a']);
    expect(await store.log.entries(S, { limit: 9 })).toEqual(all);
    expect(await store.log.entries(S, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await store.log.entries(S, { after: 2, limit: 9 })).toEqual(all.slice(2));
    expect(await store.log.entries(S, { after: 4, limit: 9 })).toEqual([]);
    expect(await codeOf(store.log.entries(sessionIdOf('none'), { limit: 1 }))).toBe('LOG_SESSION_UNKNOWN');
    expect(await codeOf(store.log.entries(S, { limit: 0 }))).toBe('USAGE_INVALID');
  });

  withStore(open, 'ends a page early where bodies are long, and loses none', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    for (let count = 0; count < 6; count += 1) await write(store, userDraft('long '.repeat(60_000), { id: `l${String(count)}` }));
    const seen: number[] = [];
    for (let after = 0; ; after = seen.at(-1) ?? 0) {
      const page = await store.log.entries(S, { after, limit: 100 });
      if (page.length === 0) break;
      expect(page.length).toBeLessThan(6);
      seen.push(...page.map(({ seq }) => seq));
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });
}

function walkRules(open: OpenFixture): void {
  withStore(open, 'reads a path newest first and nothing beside it', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('a', { id: 'a' }), assistantDraft('b', { id: 'b' }), userDraft('c', { id: 'c' }));
    await store.log.moveLeaf(S, entryIdOf('b'), null);
    await write(store, userDraft('d', { id: 'd' }), assistantDraft('e', { id: 'e' }));
    await store.log.moveLeaf(S, entryIdOf('c'), null);
    await write(store, userDraft('f', { id: 'f' }));
    for (const limit of [1, 2, 100]) {
      expect(idsOf(await wholeBranch(store, entryIdOf('f'), limit))).toEqual(['f', 'c', 'b', 'a']);
      expect(idsOf(await wholeBranch(store, entryIdOf('e'), limit))).toEqual(['e', 'd', 'b', 'a']);
      expect(idsOf(await wholeBranch(store, entryIdOf('b'), limit))).toEqual(['b', 'a']);
    }
    const [newest] = await store.log.branch(S, entryIdOf('f'), { limit: 1 });
    expect(newest).toMatchObject({ id: 'f', parent: 'c', seq: 6, depth: 3 });
  });

  withStore(open, 'finds its way over a long stretch of another branch', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('a', { id: 'a' }));
    await write(store, ...Array.from({ length: 300 }, (_, index) => userDraft('x', { id: `x${String(index)}` })));
    await store.log.moveLeaf(S, entryIdOf('a'), null);
    await write(store, userDraft('b', { id: 'b' }));
    expect(await store.log.branch(S, entryIdOf('b'), { limit: 9 })).toMatchObject([
      { id: 'b', parent: 'a' },
      { id: 'a', parent: null },
    ]);
    expect(idsOf(await wholeBranch(store, entryIdOf('x299'), 100))).toHaveLength(301);
  });

  withStore(open, 'filters by kind over the whole path', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, customDraft('old', 1, null, { id: 'old' }));
    await write(store, ...Array.from({ length: 200 }, (_, index) => userDraft('x', { id: `x${String(index)}` })));
    await write(store, customDraft('new', 2, null, { id: 'new' }), userDraft('last', { id: 'last' }));
    expect(idsOf(await wholeBranch(store, entryIdOf('last'), 1, ['custom']))).toEqual(['new', 'old']);
    expect(await store.log.branch(S, entryIdOf('last'), { limit: 1, kinds: ['custom'] })).toMatchObject([
      { id: 'new', parent: 'x199', kind: 'custom', data: 2 },
    ]);
    expect(await store.log.branch(S, entryIdOf('last'), { limit: 1, kinds: ['undo'] })).toEqual([]);
    expect(idsOf(await wholeBranch(store, entryIdOf('last'), 7, ['custom', 'message']))).toHaveLength(203);
    expect(await store.log.branch(S, entryIdOf('last'), { limit: 1, kinds: [] })).toEqual([]);
  });
}

function pageRules(open: OpenFixture): void {
  withStore(open, 'bounds a page by bytes and loses nothing over the pages', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    const drafts = Array.from({ length: 12 }, (_, index) =>
      userDraft(String(index).repeat(400_000 / (index > 9 ? 2 : 1)), { id: `e${String(index)}` }),
    );
    await write(store, ...drafts);
    const page = await store.log.branch(S, entryIdOf('e11'), { limit: 100 });
    expect(page.length).toBeGreaterThan(0);
    expect(page.length).toBeLessThan(6);
    expect(await wholeBranch(store, entryIdOf('e11'), 100)).toMatchObject([...drafts].reverse());
  });

  withStore(open, 'names what it does not know and refuses a limit that is none', async ({ store }) => {
    expect(await codeOf(store.log.branch(S, entryIdOf('a'), { limit: 1 }))).toBe('LOG_SESSION_UNKNOWN');
    await store.log.open(sessionOf('s'));
    await store.log.open(sessionOf('t'));
    await write(store, userDraft('a', { id: 'a' }));
    expect(await codeOf(store.log.branch(S, entryIdOf('none'), { limit: 1 }))).toBe('LOG_ENTRY_UNKNOWN');
    expect(await codeOf(store.log.branch(S, entryIdOf('a'), { limit: 1, before: entryIdOf('none') }))).toBe('LOG_ENTRY_UNKNOWN');
    expect(await codeOf(store.log.branch(sessionIdOf('t'), entryIdOf('a'), { limit: 1 }))).toBe('LOG_ENTRY_UNKNOWN');
    for (const limit of [0, -1, 1.5, Number.NaN])
      expect(await codeOf(store.log.branch(S, entryIdOf('a'), { limit }))).toBe('USAGE_INVALID');
  });
}
