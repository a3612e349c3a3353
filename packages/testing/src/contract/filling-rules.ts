import { describe, expect } from 'vitest';
import type { Draft, SessionRecord, Store } from '@palimpsest/contracts';
import { entryIdOf, sessionIdOf, sessionOf, userDraft } from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';

const S = sessionIdOf('s');
const TTL_MS = 1000;
const a = userDraft('a', { id: 'a' });
const b = userDraft('b', { id: 'b' });

async function taken(store: Store, owner: string): Promise<number> {
  const lease = await store.leases.acquire(S, owner, TTL_MS);
  if ('heldBy' in lease) throw new Error(`held by ${lease.heldBy}`);
  return lease.fence;
}
async function write(store: Store, fence: number | null, ...entries: readonly Draft[]): Promise<void> {
  await store.log.append({ session: S, leaf: (await store.log.session(S))?.leaf ?? null, fence, entries });
}
const filling = async (store: Store): Promise<SessionRecord['filling'] | undefined> => (await store.log.session(S))?.filling;

export function fillingRules(open: OpenFixture): void {
  describe('a session that is filled in one go', () => {
    stateRules(open);
    takeoverRules(open);
    refusalRules(open);
  });
}

function stateRules(open: OpenFixture): void {
  withStore(open, 'is begun until it is finished, whatever its holder writes', async ({ store, reopen }) => {
    const fence = await taken(store, 'me');
    expect(await store.log.begin(sessionOf('s', { name: 'first' }), fence)).toMatchObject({
      id: 's',
      name: 'first',
      leaf: null,
      entries: 0,
      filling: 'begun',
    });
    await write(store, fence, a, b);
    await store.log.moveLeaf(S, entryIdOf('a'), fence);
    const again = await (reopen?.() ?? store);
    expect(await again.log.sessions({ limit: 9 })).toMatchObject([{ id: 's', leaf: 'a', entries: 2, filling: 'begun' }]);
    await again.log.finish(S, fence);
    await again.log.finish(S, fence);
    expect(await again.log.session(S)).toMatchObject({ leaf: 'a', entries: 2, filling: 'done' });
    expect(await again.log.open(sessionOf('s'))).toMatchObject({ filling: 'done' });
  });

  withStore(open, 'may have been opened before, and begun by another, as long as it is empty', async ({ store, clock }) => {
    await store.log.open(sessionOf('s', { name: 'first' }));
    expect(await filling(store)).toBeNull();
    const mine = await taken(store, 'me');
    expect(await store.log.begin(sessionOf('s', { name: 'second' }), mine)).toMatchObject({ name: 'first', filling: 'begun' });
    await clock.advance(TTL_MS);
    const yours = await taken(store, 'you');
    await store.log.begin(sessionOf('s'), yours);
    await write(store, yours, a);
    await store.log.finish(S, yours);
    expect(await filling(store)).toBe('done');
  });

  withStore(open, 'starts afresh when it was dropped', async ({ store }) => {
    const fence = await taken(store, 'me');
    await store.log.begin(sessionOf('s'), fence);
    await write(store, fence, a);
    await store.log.drop(S, fence);
    await store.log.open(sessionOf('s'));
    expect(await filling(store)).toBeNull();
    await store.log.begin(sessionOf('s'), fence);
    await write(store, fence, a);
    expect(await filling(store)).toBe('begun');
  });
}

function takeoverRules(open: OpenFixture): void {
  withStore(open, 'belongs to whoever else writes to it, begun or done', async ({ store }) => {
    for (const isDone of [false, true]) {
      await store.log.drop(S, null);
      const [owner, other] = isDone ? ['me', 'you'] : ['one', 'two'];
      const mine = await taken(store, owner ?? '');
      await store.log.begin(sessionOf('s'), mine);
      await write(store, mine, a);
      if (isDone) await store.log.finish(S, mine);
      await store.leases.release({ session: S, owner: owner ?? '', fence: mine, expiresAtMs: 0 });
      const yours = await taken(store, other ?? '');
      expect(await filling(store)).toBe(isDone ? 'done' : 'begun');
      await write(store, yours, b);
      expect(await filling(store)).toBeNull();
      await store.log.finish(S, yours);
      expect(await filling(store)).toBeNull();
      await store.leases.release({ session: S, owner: other ?? '', fence: yours, expiresAtMs: 0 });
    }
  });

  withStore(open, 'belongs to whoever moves its leaf, or writes without a lease where none runs', async ({ store, clock }) => {
    for (const change of [() => store.log.moveLeaf(S, null, null), () => write(store, null, b)]) {
      await store.log.drop(S, null);
      const mine = await taken(store, 'me');
      await store.log.begin(sessionOf('s'), mine);
      await write(store, mine, a);
      await clock.advance(TTL_MS);
      await write(store, null);
      expect(await filling(store)).toBe('begun');
      await change();
      await store.log.finish(S, mine);
      expect(await filling(store)).toBeNull();
    }
  });
}

function refusalRules(open: OpenFixture): void {
  withStore(open, 'is begun and finished under a lease only, and never over entries', async ({ store, clock }) => {
    expect(await codeOf(store.log.begin(sessionOf('s'), 1))).toBe('LOG_FENCE_STALE');
    expect(await store.log.session(S)).toBeNull();
    const mine = await taken(store, 'me');
    expect(await codeOf(store.log.finish(S, mine))).toBe('LOG_SESSION_UNKNOWN');
    await store.log.open(sessionOf('s'));
    await write(store, mine, a);
    await store.log.moveLeaf(S, null, mine);
    await expect(store.log.begin(sessionOf('s'), mine)).rejects.toMatchObject({ code: 'SESSION_EXISTS', details: { session: 's' } });
    expect(await filling(store)).toBeNull();
    await clock.advance(TTL_MS);
    await taken(store, 'you');
    expect(await codeOf(store.log.finish(S, mine))).toBe('LOG_FENCE_STALE');
    const odd = 'a\nb' as typeof S;
    await store.leases.acquire(odd, 'me', TTL_MS);
    expect(await codeOf(store.log.begin({ ...sessionOf('s'), id: odd }, 1))).toBe('USAGE_INVALID');
  });
}
