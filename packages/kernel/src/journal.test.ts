import { describe, expect, it } from 'vitest';
import type { Lease, Leases, PalimpsestEvent, SessionId, Store } from '@palimpsest/contracts';
import { assistantDraft, ManualClock, MemoryStore, SeededIds, sessionOf, userDraft } from '@palimpsest/testing';
import { EventBus } from './event-bus.ts';
import { InputOnDisk } from './input-on-disk.ts';
import { LeasedJournal } from './journal.ts';
import { SessionLease } from './session-lease.ts';

const session = 's' as SessionId;

interface Bench {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly journal: LeasedJournal;
  readonly events: PalimpsestEvent[];
  readonly calls: string[];
  readonly onDisk: InputOnDisk;
}

const soon = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** A journal whose lease store is watched, and can be made to answer as told. Reading the session's record takes a moment, as it does from a disk. */
async function bench(answers: Partial<Pick<Leases, 'renew' | 'release'>> = {}): Promise<Bench> {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  await store.log.open(sessionOf(session));
  const [calls, events, bus]: [string[], PalimpsestEvent[], EventBus] = [[], [], new EventBus()];
  bus.onAny((event) => {
    events.push(event);
  });
  const leases: Leases = {
    acquire: (id, owner, ttlMs) => {
      calls.push(`acquire ${String(ttlMs)}`);
      return store.leases.acquire(id, owner, ttlMs);
    },
    renew: (lease: Lease, ttlMs) => {
      calls.push('renew');
      return (answers.renew ?? store.leases.renew.bind(store.leases))(lease, ttlMs);
    },
    release: (lease) => {
      calls.push('release');
      return (answers.release ?? store.leases.release.bind(store.leases))(lease);
    },
  };
  const read = store.log.session.bind(store.log);
  Object.assign(store.log, {
    session: async (id: SessionId) => {
      const record = await read(id);
      await soon();
      return record;
    },
  });
  const onDisk = new InputOnDisk(store.log);
  return {
    clock,
    store,
    events,
    calls,
    journal: new LeasedJournal(session, store.log, new SessionLease(session, leases, bus, clock, new SeededIds(1)), bus, clock, onDisk),
    onDisk,
  };
}

/** Watches the log being flushed, which takes `wait`. */
function watchFlush({ store, calls }: Bench, wait: () => Promise<void> = () => Promise.resolve()): void {
  Object.assign(store.log, {
    flush: async () => {
      calls.push('flush');
      await wait();
    },
  });
}

const other = (store: Store): ReturnType<Leases['acquire']> => store.leases.acquire(session, 'other', 60_000);

describe('the lease of a session', () => {
  it('is renewed every 20 seconds while it is held, and given back after the last holder', async () => {
    const { clock, store, journal, calls } = await bench();
    const [outer, inner] = [await journal.hold(), await journal.hold()];
    await clock.advance(70_000);
    expect(calls).toEqual(['acquire 60000', 'renew', 'renew', 'renew']);
    expect(await other(store)).toMatchObject({ heldBy: 'o0001' });
    await inner.release();
    await inner.release();
    expect(await other(store)).toMatchObject({ heldBy: 'o0001' });
    await outer.release();
    expect(await other(store)).toMatchObject({ owner: 'other' });
    await clock.advance(60_000);
    expect(calls.slice(4)).toEqual(['release']);
    expect(clock.waiting).toBe(0);
  });

  it.each([
    ['is gone', (): Promise<null> => Promise.resolve(null)],
    ['cannot be asked for', (): Promise<never> => Promise.reject(new Error('no store'))],
  ])('lets nothing be written any more once it %s, and says so', async (_how, renew) => {
    const { clock, journal, events, store } = await bench({ renew });
    const hold = await journal.hold();
    await journal.append([userDraft('kept')]);
    await clock.advance(20_000);
    expect(events.map(({ name }) => name)).toContain('lease.lost');
    await expect(journal.append([userDraft('refused')])).rejects.toMatchObject({ code: 'LOG_FENCE_STALE' });
    expect((await store.log.session(session))?.entries).toBe(1);
    await hold.release();
    await (await journal.hold()).release();
    expect(clock.waiting).toBe(0);
  });

  it('is taken once by two holders at the same time, and leaves no timer behind', async () => {
    const { clock, journal, calls } = await bench();
    const holds = await Promise.all([journal.hold(), journal.hold()]);
    expect(calls).toEqual(['acquire 60000']);
    await Promise.all(holds.map((hold) => hold.release()));
    expect(calls).toEqual(['acquire 60000', 'release']);
    expect(clock.waiting).toBe(0);
  });

  it('is not given back under the hands of somebody who takes it at that moment', async () => {
    const { clock, store, journal } = await bench({
      release: async (lease) => {
        await soon();
        await store.leases.release(lease);
      },
    });
    const hold = await journal.hold();
    const [, next] = await Promise.all([hold.release(), journal.hold()]);
    expect(await other(store)).toMatchObject({ heldBy: 'o0001' });
    await journal.append([userDraft('written')]);
    await next.release();
    expect(clock.waiting).toBe(0);
  });

  it('is not read past while an append is under way', async () => {
    const { journal } = await bench();
    const hold = await journal.hold();
    for (let count = 0; count < 20; count += 1) await Promise.all([journal.refresh(), journal.append([userDraft(String(count))])]);
    expect(journal.shown()).toHaveLength(20);
    await hold.release();
  });
});

it('gives a lease back that it cannot use', async () => {
  const { store, journal, clock } = await bench();
  await journal.append([userDraft('there')]);
  const read = store.log.session.bind(store.log);
  Object.assign(store.log, { session: () => Promise.reject(new Error('no disk')) });
  await expect(journal.hold()).rejects.toThrow('no disk');
  expect(clock.waiting).toBe(0);
  Object.assign(store.log, { session: read });
  expect(await other(store)).toMatchObject({ owner: 'other' });
});

describe('what a person said', () => {
  it('is on disk before the lease is given back; what can be made again waits for nothing', async () => {
    const made = await bench();
    watchFlush(made);
    const { journal, calls } = made;
    const first = await journal.hold();
    await journal.append([userDraft('said')]);
    await first.release();
    expect(calls).toEqual(['acquire 60000', 'flush', 'release']);
    const second = await journal.hold();
    await journal.append([assistantDraft('answered')]);
    await second.release();
    expect(calls.slice(3)).toEqual(['acquire 60000', 'release']);
  });

  it('is flushed once, and again where that failed; the lease goes back all the same', async () => {
    const made = await bench();
    const faults = [new Error('disk full')];
    watchFlush(made, () => {
      const fault = faults.pop();
      return fault === undefined ? Promise.resolve() : Promise.reject(fault);
    });
    const { journal, calls, onDisk } = made;
    const hold = await journal.hold();
    await journal.append([userDraft('said')]);
    await expect(onDisk.flush()).rejects.toThrow('disk full');
    await onDisk.flush();
    await onDisk.flush();
    expect(calls).toEqual(['acquire 60000', 'flush', 'flush']);
    faults.push(new Error('disk gone'));
    await journal.append([userDraft('more')]);
    await expect(hold.release()).rejects.toThrow('disk gone');
    expect(calls.slice(3)).toEqual(['flush', 'release']);
  });
});
