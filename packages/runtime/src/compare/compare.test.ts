import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench } from '../../test/bench.ts';
import { compareEngines, type Compared, type HostRuntime } from '../index.ts';
import { summedUp } from './compare.ts';

const sample = fileURLToPath(new URL('../../../../apps/cli/sample/session.jsonl.gz', import.meta.url));
let bench: Bench;
let runtime: HostRuntime;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ config: { context: { on_engine_failure: 'fail' } } });
}, 60_000);
afterAll(async () => {
  await bench.close();
});

it('compares the built-in engine with a sliding window over the same file, and all invariants hold for both', async () => {
  const seen = new Set<string>();
  const [compressor, sliding] = await compareEngines(runtime, {
    files: [sample],
    engines: ['compressor', 'sliding'],
    window: 32_000,
    onProgress: ({ engine }) => void seen.add(engine),
  });
  expect([...seen]).toEqual(['compressor', 'sliding']);
  for (const one of [compressor, sliding]) expect(one).toMatchObject({ sessions: 1, isSound: true });
  expect(sliding?.totals.requests).toBe(compressor?.totals.requests);
  expect(sliding?.totals.exhausted).toBe(0);
  expect(sliding?.totals.compactions).toBeGreaterThan(2);
  // It claims to reduce by itself: the host shortens nothing that is only old.
  const entries = await runtime.store.log.entries(sliding?.runs[0]?.session as never, { limit: 10_000 });
  expect(entries.flatMap((entry) => (entry.kind === 'reduction' ? entry.items.filter(({ reason }) => reason === 'pruned') : []))).toEqual(
    [],
  );
  const step = await runtime.why(sliding?.runs[0]?.session ?? '');
  expect(step.verified).toBe(true);
  expect(step.hidden.map(({ reason }) => reason)).toContain('fell out of the sliding window');
  expect(step.blocks.some(({ shape }) => shape === 'summary')).toBe(false);
}, 120_000);

it('runs nothing when an engine is not there', async () => {
  const before = (await runtime.store.log.sessions({ limit: 50 })).length;
  await expect(
    compareEngines(runtime, { files: [sample], engines: ['compressor', 'no-such-engine'], window: 64_000 }),
  ).rejects.toMatchObject({ code: 'ENGINE_UNKNOWN' });
  expect(await runtime.store.log.sessions({ limit: 50 })).toHaveLength(before);
});

it('sums up runs, and one that broke an invariant makes the engine unsound', () => {
  const run = (requests: number, peak: number, fits: boolean): Compared['runs'][number] =>
    ({
      totals: {
        requests,
        inputTokens: requests * 100,
        cacheReadTokens: requests * 25,
        peakInputTokens: peak,
        overBudgetRequests: 0,
        invalidRequests: 0,
        reductions: 1,
        compactions: 2,
        hostCompactions: 0,
        outputTokens: 0,
        exhausted: 0,
        engineMs: 3,
      },
      invariants: { fits },
      engine: { substitution: null },
    }) as unknown as Compared['runs'][number];
  expect(summedUp('x', [run(1, 70, true), run(3, 50, true)])).toMatchObject({
    sessions: 2,
    cachedShare: 0.25,
    isSound: true,
    substitution: null,
    totals: { requests: 4, peakInputTokens: 70, compactions: 4 },
  });
  expect(summedUp('x', [run(1, 70, true), run(3, 50, false)]).isSound).toBe(false);
  expect(summedUp('x', [])).toMatchObject({ sessions: 0, cachedShare: 0, totals: { peakInputTokens: 0 } });
});
