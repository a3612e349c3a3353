import { describe, expect } from 'vitest';
import type { Lease, LeaseHeld } from '@palimpsest/contracts';
import { sessionIdOf, sessionOf, userDraft } from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';

const S = sessionIdOf('s');

function held(answer: Lease | LeaseHeld): Lease {
  if ('heldBy' in answer) throw new Error(`held by ${answer.heldBy}`);
  return answer;
}

export function leaseRules(open: OpenFixture): void {
  describe('leases', () => {
    ownerRules(open);
    fenceRules(open);
    freeWriteRules(open);
  });
}

function ownerRules(open: OpenFixture): void {
  withStore(open, 'gives a session to one owner at a time', async ({ store, clock, reopen }) => {
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    expect(mine).toEqual({ session: 's', owner: 'me', fence: 1, expiresAtMs: clock.now() + 1000 });
    const again = await (reopen?.() ?? store);
    expect(await again.leases.acquire(S, 'you', 1000)).toEqual({ heldBy: 'me', untilMs: mine.expiresAtMs });
    await clock.advance(400);
    expect(await again.leases.acquire(S, 'me', 1000)).toEqual({ ...mine, expiresAtMs: clock.now() + 1000 });
    expect(held(await again.leases.acquire(sessionIdOf('t'), 'you', 1000)).fence).toBe(1);
  });

  withStore(open, 'lets an expired lease be taken over, and tells the old owner', async ({ store, clock }) => {
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    await clock.advance(999);
    expect(await store.leases.acquire(S, 'you', 1000)).toHaveProperty('heldBy', 'me');
    await clock.advance(1);
    const yours = held(await store.leases.acquire(S, 'you', 500));
    expect(yours).toEqual({ session: 's', owner: 'you', fence: 2, expiresAtMs: clock.now() + 500 });
    expect(await store.leases.renew(mine, 1000)).toBeNull();
    await store.leases.release(mine);
    expect(await store.leases.acquire(S, 'me', 1000)).toHaveProperty('heldBy', 'you');
  });

  withStore(open, 'renews what is held, also late when nobody came', async ({ store, clock }) => {
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    await clock.advance(1500);
    expect(await store.leases.renew(mine, 1000)).toEqual({ ...mine, expiresAtMs: clock.now() + 1000 });
    expect(await store.leases.acquire(S, 'you', 1000)).toHaveProperty('heldBy', 'me');
    await clock.advance(5000);
    expect(held(await store.leases.acquire(S, 'me', 1000)).fence).toBe(1);
  });

  withStore(open, 'releases once and for all', async ({ store }) => {
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    await store.leases.release(mine);
    await store.leases.release(mine);
    expect(await store.leases.renew(mine, 1000)).toBeNull();
    expect(held(await store.leases.acquire(S, 'me', 1000)).fence).toBe(2);
    for (const ttlMs of [0, -1, Number.NaN]) expect(await codeOf(store.leases.acquire(S, 'me', ttlMs))).toBe('USAGE_INVALID');
  });
}

function fenceRules(open: OpenFixture): void {
  withStore(open, 'lets only the newest fence write', async ({ store, clock }) => {
    await store.log.open(sessionOf('s'));
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    const entries = [userDraft('a', { id: 'a' })];
    for (const fence of [null, 0, 2])
      expect(await codeOf(store.log.append({ session: S, leaf: null, fence, entries }))).toBe('LOG_FENCE_STALE');
    await store.log.append({ session: S, leaf: null, fence: mine.fence, entries });
    await clock.advance(1000);
    const yours = held(await store.leases.acquire(S, 'you', 1000));
    const stale = { session: S, leaf: entries[0]?.id ?? null, fence: mine.fence, entries: [userDraft('b', { id: 'b' })] };
    await expect(store.log.append(stale)).rejects.toMatchObject({
      code: 'LOG_FENCE_STALE',
      details: { session: 's', fence: 1, actual: 2 },
    });
    expect(await codeOf(store.log.moveLeaf(S, null, mine.fence))).toBe('LOG_FENCE_STALE');
    expect(await codeOf(store.log.moveLeaf(S, null, null))).toBe('LOG_FENCE_STALE');
    await store.log.append({ ...stale, fence: yours.fence });
    await store.log.moveLeaf(S, null, yours.fence);
    expect(await store.log.session(S)).toMatchObject({ leaf: null, entries: 2 });
  });

  withStore(
    open,
    'drops a session for the holder of its lease only, who may start it again under the same lease',
    async ({ store, clock, reopen }) => {
      await store.log.open(sessionOf('s'));
      const mine = held(await store.leases.acquire(S, 'me', 1000));
      await store.log.append({ session: S, leaf: null, fence: mine.fence, entries: [userDraft('a', { id: 'a' })] });
      for (const fence of [null, 0, 2]) expect(await codeOf(store.log.drop(S, fence))).toBe('LOG_FENCE_STALE');
      expect(await store.log.session(S)).toMatchObject({ leaf: 'a', entries: 1 });
      await store.log.drop(S, mine.fence);
      expect(await store.log.session(S)).toBeNull();
      expect(await codeOf(store.log.drop(S, null))).toBe('LOG_FENCE_STALE');
      await store.log.open(sessionOf('s'));
      await store.log.append({ session: S, leaf: null, fence: mine.fence, entries: [userDraft('a', { id: 'a' })] });
      await clock.advance(1000);
      await store.log.drop(S, null);
      const again = await (reopen?.() ?? store);
      expect(held(await again.leases.acquire(S, 'you', 1000)).fence).toBe(2);
      await again.log.open(sessionOf('s'));
      expect(await codeOf(again.log.append({ session: S, leaf: null, fence: mine.fence, entries: [userDraft('b', { id: 'b' })] }))).toBe(
        'LOG_FENCE_STALE',
      );
    },
  );
}

function freeWriteRules(open: OpenFixture): void {
  withStore(open, 'lets a write without a lease through only where none is running', async ({ store, clock }) => {
    await store.log.open(sessionOf('s'));
    expect(await codeOf(store.log.append({ session: S, leaf: null, fence: 1, entries: [userDraft('a', { id: 'a' })] }))).toBe(
      'LOG_FENCE_STALE',
    );
    const [first] = await store.log.append({ session: S, leaf: null, fence: null, entries: [userDraft('a', { id: 'a' })] });
    const mine = held(await store.leases.acquire(S, 'me', 1000));
    expect(
      await codeOf(store.log.append({ session: S, leaf: first?.id ?? null, fence: null, entries: [userDraft('b', { id: 'b' })] })),
    ).toBe('LOG_FENCE_STALE');
    await store.leases.release(mine);
    expect(
      await codeOf(store.log.append({ session: S, leaf: first?.id ?? null, fence: mine.fence, entries: [userDraft('b', { id: 'b' })] })),
    ).toBe('LOG_FENCE_STALE');
    const [second] = await store.log.append({ session: S, leaf: first?.id ?? null, fence: null, entries: [userDraft('b', { id: 'b' })] });
    const late = held(await store.leases.acquire(S, 'me', 1000));
    await clock.advance(1000);
    const [third] = await store.log.append({
      session: S,
      leaf: second?.id ?? null,
      fence: late.fence,
      entries: [userDraft('c', { id: 'c' })],
    });
    await store.log.append({ session: S, leaf: third?.id ?? null, fence: null, entries: [userDraft('d', { id: 'd' })] });
    expect(await store.log.session(S)).toMatchObject({ leaf: 'd', entries: 4 });
  });
}
