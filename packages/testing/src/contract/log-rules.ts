import { describe, expect } from 'vitest';
import type { Draft, Store } from '@palimpsest/contracts';
import { artifactOf, assistantDraft, entryIdOf, sessionIdOf, sessionOf, userDraft } from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';

const S = sessionIdOf('s');

/** Writes the drafts under the leaf that the session has now. */
export async function write(store: Store, ...entries: readonly Draft[]): Promise<void> {
  const leaf = (await store.log.session(S))?.leaf ?? null;
  await store.log.append({ session: S, leaf, fence: null, entries });
}

export function logRules(open: OpenFixture): void {
  describe('log', () => {
    sessionRules(open);
    appendRules(open);
    contentRules(open);
    refusalRules(open);
    dropRules(open);
  });
}

function sessionRules(open: OpenFixture): void {
  withStore(open, 'opens a session once and keeps its record', async ({ store, reopen }) => {
    const parent = { session: sessionIdOf('p'), entry: entryIdOf('e') };
    const made = await store.log.open(sessionOf('s', { name: 'first', parent }));
    expect(made).toEqual({
      id: 's',
      name: 'first',
      parent,
      created: '2026-01-01T00:00:00.000Z',
      leaf: null,
      format: 1,
      entries: 0,
      updated: '2026-01-01T00:00:00.000Z',
      filling: null,
    });
    expect(await store.log.open(sessionOf('s', { name: 'second' }))).toEqual(made);
    const again = await (reopen?.() ?? store);
    expect(await again.log.session(S)).toEqual(made);
    expect(await again.log.session(sessionIdOf('t'))).toBeNull();
  });

  withStore(open, 'flushes what was written, and whenever it is asked', async ({ store }) => {
    await store.log.flush();
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('a'));
    await store.log.flush();
    await store.log.flush();
    expect((await store.log.session(S))?.entries).toBe(1);
    await store.close();
    expect(await codeOf(store.log.flush())).toBe('STORE_CLOSED');
  });

  withStore(open, 'lists sessions, newest record first, page by page', async ({ store }) => {
    for (const id of ['a', 'c', 'b']) await store.log.open(sessionOf(id));
    const first = await store.log.sessions({ limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(['b', 'c']);
    expect((await store.log.sessions({ limit: 2, after: sessionIdOf('c') })).map(({ id }) => id)).toEqual(['a']);
    expect(await store.log.sessions({ limit: 2, after: sessionIdOf('a') })).toEqual([]);
    expect(await codeOf(store.log.sessions({ limit: 2, after: sessionIdOf('z') }))).toBe('LOG_SESSION_UNKNOWN');
  });

  withStore(open, 'refuses a name that is none', async ({ store }) => {
    expect(await codeOf(store.log.open({ ...sessionOf('s'), id: 'a\nb' as typeof S }))).toBe('USAGE_INVALID');
    expect(await codeOf(store.log.open({ ...sessionOf('s'), id: '' as typeof S }))).toBe('USAGE_INVALID');
  });

  withStore(open, 'refuses everything once it is closed', async ({ store }) => {
    await store.close();
    await store.close();
    expect(await codeOf(store.log.session(S))).toBe('STORE_CLOSED');
    expect(await codeOf(store.log.open(sessionOf('s')))).toBe('STORE_CLOSED');
    expect(await codeOf(store.artifacts.list({ limit: 1 }))).toBe('STORE_CLOSED');
    expect(await codeOf(store.leases.acquire(S, 'me', 1))).toBe('STORE_CLOSED');
    expect(await codeOf(store.search.query({ text: 'word', limit: 1 }))).toBe('STORE_CLOSED');
  });
}

function appendRules(open: OpenFixture): void {
  withStore(open, 'sets parent, session, seq and depth, and moves the leaf', async ({ store, reopen }) => {
    await store.log.open(sessionOf('s'));
    const question = userDraft('hello', { id: 'e1', tokens: 7, time: '2026-02-03T04:05:06.789Z', turn: entryIdOf('e1') });
    const answer = assistantDraft('there', { id: 'e2', time: '2026-02-03T04:05:07Z', turn: entryIdOf('e1') });
    const entries = await store.log.append({ session: S, leaf: null, fence: null, entries: [question, answer] });
    expect(entries).toEqual([
      { ...question, parent: null, session: 's', seq: 1, depth: 0 },
      { ...answer, parent: 'e1', session: 's', seq: 2, depth: 1 },
    ]);
    const again = await (reopen?.() ?? store);
    expect(await again.log.get(S, [entryIdOf('e2'), entryIdOf('none'), entryIdOf('e1')])).toEqual([entries[1], entries[0]]);
    expect(await again.log.session(S)).toMatchObject({ leaf: 'e2', entries: 2, updated: '2026-02-03T04:05:07Z' });
  });

  withStore(open, 'grows a tree: seq goes on, depth follows the branch', async ({ store, reopen }) => {
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('a', { id: 'a' }), assistantDraft('b', { id: 'b' }));
    await store.log.moveLeaf(S, entryIdOf('a'), null);
    await write(store, assistantDraft('c', { id: 'c' }));
    await store.log.moveLeaf(S, null, null);
    expect((await store.log.session(S))?.leaf).toBeNull();
    const again = await (reopen?.() ?? store);
    expect(await again.log.session(S)).toMatchObject({ leaf: null, entries: 3 });
    await write(again, userDraft('d', { id: 'd' }));
    const [c, d] = await again.log.get(S, [entryIdOf('c'), entryIdOf('d')]);
    expect(c).toMatchObject({ parent: 'a', seq: 3, depth: 1 });
    expect(d).toMatchObject({ parent: null, seq: 4, depth: 0 });
  });
}

function contentRules(open: OpenFixture): void {
  withStore(open, 'gives odd bodies back as they were', async ({ store, reopen }) => {
    await store.log.open(sessionOf('s'));
    const texts = ['', '\u0000nul', 'lone \ud800 surrogate', '漢字 🎉', 'quote " and \\', '\u2028'];
    const drafts = texts.map((text, index) => userDraft(text, { id: `odd-${String(index)} "\\` }));
    await write(store, ...drafts);
    const again = await (reopen?.() ?? store);
    expect(
      await again.log.get(
        S,
        drafts.map(({ id }) => id),
      ),
    ).toMatchObject(drafts);
  });

  withStore(open, 'keeps very large bodies whole', async ({ store, reopen }) => {
    await store.log.open(sessionOf('s'));
    const drafts = ['x'.repeat(700_000), '漢字🎉'.repeat(120_000), 'x'.repeat(700_000)].map((text, index) =>
      userDraft(text, { id: `big${String(index)}` }),
    );
    await write(store, ...drafts);
    const again = await (reopen?.() ?? store);
    for (const draft of drafts) expect(await again.log.get(S, [draft.id])).toMatchObject([draft]);
    expect((await again.log.branch(S, entryIdOf('big2'), { limit: 9 })).map(({ id }) => id)[0]).toBe('big2');
  });

  withStore(open, 'takes an empty append as a check that writes artifacts only', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    const artifact = artifactOf('offload', 'text', { session: S });
    expect(await store.log.append({ session: S, leaf: null, fence: null, entries: [], artifacts: [artifact] })).toEqual([]);
    expect(await store.log.session(S)).toMatchObject({ leaf: null, entries: 0 });
    expect(await store.artifacts.get(artifact.id)).toEqual(artifact);
  });
}

function refusalRules(open: OpenFixture): void {
  withStore(open, 'refuses a write built on another leaf, whole', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('a', { id: 'a' }));
    const artifact = artifactOf('offload', 'text', { session: S });
    const stale = store.log.append({ session: S, leaf: null, fence: null, entries: [userDraft('b', { id: 'b' })], artifacts: [artifact] });
    await expect(stale).rejects.toMatchObject({
      code: 'LOG_LEAF_MOVED',
      kind: 'session',
      retryable: true,
      details: { session: 's', expected: null, actual: 'a' },
    });
    expect(await store.log.get(S, [entryIdOf('b')])).toEqual([]);
    expect(await store.artifacts.get(artifact.id)).toBeNull();
  });

  withStore(open, 'refuses ids that exist, in this session, another one or the same write', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await store.log.open(sessionOf('t'));
    await write(store, userDraft('a', { id: 'a' }));
    for (const ids of [
      ['b', 'a'],
      ['c', 'c'],
    ])
      expect(await codeOf(write(store, ...ids.map((id) => userDraft(id, { id }))))).toBe('LOG_ID_TAKEN');
    const other = store.log.append({ session: sessionIdOf('t'), leaf: null, fence: null, entries: [userDraft('a', { id: 'a' })] });
    expect(await codeOf(other)).toBe('LOG_ID_TAKEN');
    expect(await store.log.session(S)).toMatchObject({ leaf: 'a', entries: 1 });
    await write(store, userDraft('b', { id: 'b' }));
    expect(await store.log.get(S, [entryIdOf('b')])).toMatchObject([{ seq: 2, parent: 'a' }]);
  });

  withStore(open, 'names what it does not know', async ({ store }) => {
    const nobody = { session: S, leaf: null, fence: null, entries: [userDraft('a')] };
    expect(await codeOf(store.log.append(nobody))).toBe('LOG_SESSION_UNKNOWN');
    expect(await codeOf(store.log.get(S, []))).toBe('LOG_SESSION_UNKNOWN');
    expect(await codeOf(store.log.moveLeaf(S, null, null))).toBe('LOG_SESSION_UNKNOWN');
    await store.log.open(sessionOf('s'));
    await store.log.open(sessionOf('t'));
    await write(store, userDraft('a', { id: 'a' }));
    expect(await codeOf(store.log.moveLeaf(S, entryIdOf('none'), null))).toBe('LOG_ENTRY_UNKNOWN');
    expect(await codeOf(store.log.moveLeaf(sessionIdOf('t'), entryIdOf('a'), null))).toBe('LOG_ENTRY_UNKNOWN');
    expect(await store.log.get(sessionIdOf('t'), [entryIdOf('a')])).toEqual([]);
  });

  withStore(open, 'refuses what JSON cannot say, and writes nothing', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    const broken = { ...userDraft('a'), data: 1n } as unknown as Draft;
    expect(await codeOf(write(store, userDraft('fine'), broken))).toBe('USAGE_INVALID');
    expect(await store.log.session(S)).toMatchObject({ leaf: null, entries: 0 });
  });
}

function dropRules(open: OpenFixture): void {
  withStore(open, 'drops a session whole, and nothing of others', async ({ store, reopen }) => {
    for (const id of ['s', 't']) await store.log.open(sessionOf(id));
    const own = artifactOf('offload', 'own words', { session: S });
    const both = artifactOf('offload', 'both words', { session: S });
    const big = 'big words '.repeat(60_000);
    await store.log.append({ session: S, leaf: null, fence: null, entries: [userDraft(big, { id: 'a' })], artifacts: [own, both] });
    await store.log.append({
      session: sessionIdOf('t'),
      leaf: null,
      fence: null,
      entries: [userDraft(big, { id: 'b' })],
      artifacts: [{ ...both, session: sessionIdOf('t') }],
    });
    expect((await store.search.query({ text: 'words', limit: 9 })).map((hit) => hit.entry ?? hit.artifact).sort()).toEqual(
      ['a', 'b', both.id, own.id].sort(),
    );
    await store.log.drop(S, null);
    await store.log.drop(S, null);
    const again = await (reopen?.() ?? store);
    expect(await again.log.session(S)).toBeNull();
    expect(await again.artifacts.get(own.id)).toBeNull();
    expect(await again.artifacts.get(both.id)).toEqual({ ...both, session: 't' });
    expect(await again.log.get(sessionIdOf('t'), [entryIdOf('b')])).toMatchObject([userDraft(big, { id: 'b' })]);
    expect((await again.search.query({ text: 'words', limit: 9 })).map((hit) => hit.entry ?? hit.artifact).sort()).toEqual(
      ['b', both.id].sort(),
    );
  });

  withStore(open, 'starts a dropped session again under the same name and ids', async ({ store }) => {
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('old words', { id: 'a' }), userDraft('more', { id: 'b' }));
    await store.search.query({ text: 'words', limit: 1 });
    await store.log.drop(S, null);
    await store.log.open(sessionOf('s'));
    await write(store, userDraft('new words', { id: 'a' }));
    expect(await store.log.session(S)).toMatchObject({ leaf: 'a', entries: 1 });
    expect(await store.search.query({ text: 'old', limit: 9 })).toEqual([]);
    expect(await store.search.query({ text: 'words', limit: 9 })).toMatchObject([{ entry: 'a', snippet: 'new words' }]);
  });
}
