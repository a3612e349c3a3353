import { describe, expect } from 'vitest';
import { artifactIdOf, artifactOf, sessionIdOf, sessionOf } from '../drafts.ts';
import { codeOf, withStore, type OpenFixture } from './fixture.ts';

const S = sessionIdOf('s');

export function artifactRules(open: OpenFixture): void {
  describe('artifacts', () => {
    bodyRules(open);
    putRules(open);
    listRules(open);
  });
}

function bodyRules(open: OpenFixture): void {
  withStore(open, 'keeps bodies and all fields', async ({ store, reopen }) => {
    await store.log.open(sessionOf('s'));
    const bodies = ['', 'short', 'nul \u0000 and lone \udc00', 'long text '.repeat(2_000), '漢字🎉'.repeat(50_000), 'x'.repeat(300_000)];
    const artifacts = bodies.map((body, index) =>
      artifactOf('offload', body, {
        session: S,
        source: { firstSeq: index, lastSeq: index + 2 },
        madeBy: { tool: 'read', n: [index, null] },
        tokens: index,
      }),
    );
    await store.artifacts.put(artifacts);
    const again = await (reopen?.() ?? store);
    for (const artifact of artifacts) expect(await again.artifacts.get(artifact.id)).toEqual(artifact);
    expect(await again.artifacts.get(artifactIdOf('offload', 'never'))).toBeNull();
  });

  withStore(open, 'reads ranges in UTF-16 units', async ({ store }) => {
    const bodies = ['0123456789', `${'漢'.repeat(70_000)}🎉${'b'.repeat(70_000)}`, '🎉'.repeat(100_000)];
    for (const body of bodies) {
      const artifact = artifactOf('offload', body);
      await store.artifacts.put([artifact]);
      for (const [offset, length] of [
        [0, 4],
        [3, 3],
        [65_530, 12],
        [69_999, 3],
        [70_001, 2],
        [0, 1e9],
        [body.length, 5],
        [body.length - 2, 9],
        [5, 0],
        [131_071, 2],
      ] as const) {
        const read = await store.artifacts.get(artifact.id, { offset, length });
        expect(read).toEqual({ ...artifact, body: body.slice(offset, offset + length) });
      }
      for (const [offset, length] of [
        [-1, 1],
        [0, -1],
        [0.5, 1],
      ] as const)
        expect(await codeOf(store.artifacts.get(artifact.id, { offset, length }))).toBe('USAGE_INVALID');
    }
  });
}

function putRules(open: OpenFixture): void {
  withStore(open, 'leaves an id that exists as it is', async ({ store }) => {
    const first = artifactOf('offload', 'body', { madeBy: { first: true } });
    await store.artifacts.put([first]);
    await store.artifacts.put([
      { ...first, madeBy: { first: false }, tokens: 999 },
      { ...first, madeBy: null },
    ]);
    expect(await store.artifacts.get(first.id)).toEqual(first);
    expect(await store.artifacts.list({ limit: 9 })).toHaveLength(1);
  });

  withStore(open, 'puts all or nothing', async ({ store }) => {
    const good = artifactOf('offload', 'good');
    expect(await codeOf(store.artifacts.put([good, artifactOf('offload', 'bad', { session: sessionIdOf('nobody') })]))).toBe(
      'LOG_SESSION_UNKNOWN',
    );
    expect(await store.artifacts.get(good.id)).toBeNull();
  });
}

function listRules(open: OpenFixture): void {
  withStore(open, 'leaves an artifact to the oldest session that holds it when its own is dropped', async ({ store }) => {
    for (const id of ['s', 't', 'u']) await store.log.open(sessionOf(id));
    const artifact = artifactOf('offload', 'body', { session: S });
    for (const id of ['s', 'u', 't']) await store.artifacts.put([{ ...artifact, session: sessionIdOf(id) }]);
    const owners: unknown[] = [];
    for (const id of ['s', 't', 'u']) {
      await store.log.drop(sessionIdOf(id), null);
      owners.push((await store.artifacts.get(artifact.id))?.session ?? null);
    }
    expect(owners).toEqual(['t', 'u', null]);
  });

  withStore(open, 'lists by session and kind, newest first, without bodies', async ({ store }) => {
    for (const id of ['s', 't']) await store.log.open(sessionOf(id));
    const one = artifactOf('offload', 'one 漢', { session: S });
    const two = artifactOf('dream', 'two', { session: S });
    const three = artifactOf('offload', 'three', { session: sessionIdOf('t') });
    const four = artifactOf('offload', 'four');
    await store.artifacts.put([one, two]);
    await store.artifacts.put([three, four, { ...one, session: sessionIdOf('t') }]);
    const ids = async (filter: { session?: typeof S; kind?: string; limit: number }): Promise<string[]> =>
      (await store.artifacts.list(filter)).map(({ id }) => id);
    expect(await ids({ limit: 9 })).toEqual([four.id, three.id, two.id, one.id]);
    expect(await ids({ limit: 2 })).toEqual([four.id, three.id]);
    expect(await ids({ session: S, limit: 9 })).toEqual([two.id, one.id]);
    expect(await ids({ session: sessionIdOf('t'), limit: 9 })).toEqual([three.id, one.id]);
    expect(await ids({ session: S, kind: 'offload', limit: 9 })).toEqual([one.id]);
    expect(await ids({ session: sessionIdOf('nobody'), limit: 9 })).toEqual([]);
    const { body, ...info } = one;
    expect((await store.artifacts.list({ session: S, kind: 'offload', limit: 1 }))[0]).toEqual({ ...info, bytes: Buffer.byteLength(body) });
    expect(await codeOf(store.artifacts.list({ limit: 0 }))).toBe('USAGE_INVALID');
  });
}
