import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPalimpsestError, type Artifact, type Lease, type SessionId, type Store } from '@palimpsest/contracts';
import { artifactOf, entryIdOf, ManualClock, MemoryStore, sessionIdOf, sessionOf, userDraft } from '@palimpsest/testing';
import { openStore } from './open-store.ts';

const NAMES = ['s', 't', 'u'].map(sessionIdOf);
const WORDS = ['alpha', 'beta', 'fooBar', 'src/a.ts', '数据库', '检索数据', 'Café', 'x'];

/** Drawn numbers; each step takes what it needs of them. */
type Draw = readonly [what: number, session: number, one: number, other: number, text: readonly string[]];
const draws: fc.Arbitrary<readonly Draw[]> = fc.array(
  fc.tuple(fc.nat(99), fc.nat(2), fc.nat(3), fc.nat(3), fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })),
  { minLength: 5, maxLength: 70 },
);

const LEASE_MS = 1000;
const OPEN: Draw = [0, 0, 0, 0, ['x']];

/** One of the two stores, with what a caller would remember of it. */
class Caller {
  readonly #leases = new Map<string, Lease>();
  readonly #store: Store;
  readonly #clock: ManualClock;
  #ids = 0;

  constructor(store: Store, clock: ManualClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What the step answers, or the code it is refused with. */
  async step(draw: Draw): Promise<unknown> {
    try {
      return await this.#run(draw);
    } catch (error) {
      if (isPalimpsestError(error)) return { code: error.code, details: error.details };
      throw error;
    }
  }

  async #run([what, session, one, other, text]: Draw): Promise<unknown> {
    const { log, artifacts, search } = this.#store;
    const id = NAMES[session] ?? sessionIdOf('s');
    const words = text.join(' ');
    if (what < 7) return await log.open(sessionOf(id));
    if (what < 10) return await this.#fill(id, one, other);
    if (what < 45) return await this.#append(id, words, one, other);
    if (what < 55)
      return await log.moveLeaf(
        id,
        one === 0 ? null : entryIdOf(`e${String(one + 4 * other)}`),
        this.#leases.get(`${id}${String(other % 2)}`)?.fence ?? null,
      );
    if (what < 65) return await this.#lease(id, one, other);
    if (what < 72) return await artifacts.put([this.#artifact(one === 0 ? null : id, words, other)]);
    if (what < 77) return await artifacts.list({ limit: 1 + other, ...(one === 0 ? {} : { session: id }) });
    if (what < 80) return await log.drop(id, this.#leases.get(`${id}${String(other % 2)}`)?.fence ?? null);
    if (what < 85) return await log.sessions({ limit: 1 + one });
    if (what < 90) return await artifacts.get(this.#artifact(null, words, other).id);
    const hits = await search.query({ text: words, limit: 1000, ...(one === 0 ? {} : { session: id }) });
    return hits.map((hit) => `${hit.session} ${String(hit.entry)} ${String(hit.artifact)}`).sort();
  }

  async #append(session: SessionId, words: string, one: number, other: number): Promise<unknown> {
    const leaf = one === 3 ? null : ((await this.#store.log.session(session))?.leaf ?? null);
    const entries = Array.from({ length: 1 + other }, () => userDraft(words, { id: `e${String((this.#ids += 1))}` }));
    const fence = this.#leases.get(`${session}${String(other % 2)}`)?.fence ?? null;
    return await this.#store.log.append({
      session,
      leaf,
      fence,
      entries,
      artifacts: one === 2 ? [this.#artifact(session, words, other)] : [],
    });
  }

  async #fill(session: SessionId, one: number, other: number): Promise<unknown> {
    const fence = this.#leases.get(`${session}${String(other % 2)}`)?.fence ?? 0;
    return one < 2 ? await this.#store.log.begin(sessionOf(session), fence) : await this.#store.log.finish(session, fence);
  }

  async #lease(session: SessionId, one: number, other: number): Promise<unknown> {
    const owner = String(other % 2);
    const mine = this.#leases.get(session + owner);
    if (one === 1 && mine !== undefined) return await this.#store.leases.renew(mine, 500);
    if (one === 2 && mine !== undefined) return await this.#store.leases.release(mine);
    if (one === 3) return await this.#clock.advance(400);
    const answer = await this.#store.leases.acquire(session, owner, LEASE_MS);
    if ('fence' in answer) this.#leases.set(session + owner, answer);
    return answer;
  }

  #artifact(session: Artifact['session'], words: string, other: number): Artifact {
    return artifactOf(other === 0 ? 'source' : 'offload', words, { session });
  }
}

it('answers whatever is asked as the store in memory does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
  const [clock, twin] = [new ManualClock(), new ManualClock()];
  const [store, memory] = [
    await openStore({ file: join(folder, 'store.db'), durability: 'normal', clock }),
    new MemoryStore({ clock: twin }),
  ];
  await fc.assert(
    fc.asyncProperty(draws, async (steps) => {
      await Promise.all([clock.advance(LEASE_MS), twin.advance(LEASE_MS)]);
      for (const session of NAMES) await Promise.all([store.log.drop(session, null), memory.log.drop(session, null)]);
      const [one, other] = [new Caller(store, clock), new Caller(memory, twin)];
      for (const step of [OPEN, ...steps]) expect(await one.step(step)).toEqual(await other.step(step));
    }),
    { seed: 20260101, numRuns: 40 },
  );
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
