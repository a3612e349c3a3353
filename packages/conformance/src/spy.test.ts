import type { ContextEngine, EngineDefinition, EngineHost } from '@palimpsest/contracts';
import { honest } from '@palimpsest/testing';
import { expect, it } from 'vitest';
import { checkEngine } from './index.ts';
import type { Hung } from './patience.ts';
import { Spy } from './spy.ts';
import { watchTimers } from './timers.ts';

const manifest = {
  name: 'any',
  version: '1.0.0',
  contract: '^1.0',
  description: '',
  main: 'none',
  provides: ['context-engine'],
  owns: [],
  needs: [],
  permissions: [],
  options: { type: 'object', properties: {}, additionalProperties: false },
} satisfies EngineDefinition['manifest'];
const host = { session: 's', now: () => 0, tokens: { block: () => 1 } } as unknown as EngineHost<never>;
const waited = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const defined = (factory: EngineDefinition['factory']): EngineDefinition => ({ manifest, factory });

async function watched(engine: Partial<ContextEngine>, hung: Hung): Promise<ContextEngine> {
  const spy = new Spy(200, hung);
  await spy.definition(defined(() => ({ plan: () => ({ segments: [], estimateTokens: 0 }), ...engine }))).factory(host);
  return spy.watched.at(-1) as ContextEngine;
}

it('a signal that is given once a call has ended is nothing that the call ignores', async () => {
  const [hung, stop] = [new Map() as Hung, new AbortController()];
  const engine = await watched({ compact: () => Promise.resolve({ kind: 'noop', reason: 'no-gain' }) }, hung);
  await engine.compact?.({ signal: stop.signal } as never);
  stop.abort();
  await waited(1_400);
  expect(hung.size).toBe(0);
});

it('one that is given while it works, and not heeded, is', async () => {
  const [hung, stop] = [new Map() as Hung, new AbortController()];
  const engine = await watched({ compact: () => new Promise(() => undefined) }, hung);
  const answer = engine.compact?.({ signal: stop.signal } as never);
  stop.abort();
  await expect(answer).rejects.toMatchObject({ why: 'abort' });
  expect([...hung]).toEqual([['compact', 'abort']]);
});

it('tells an engine a deadline that the kit keeps', async () => {
  const asked: number[] = [];
  const engine = await watched(
    {
      plan: ({ deadlineMs }) => {
        asked.push(deadlineMs - Date.now());
        return { segments: [], estimateTokens: 0 };
      },
    },
    new Map(),
  );
  await engine.plan({ deadlineMs: Number.POSITIVE_INFINITY } as never);
  expect(asked[0]).toBeLessThanOrEqual(200);
});

it("counts the timers of the engine, and nobody else's", async () => {
  const timers = watchTimers();
  const other = setTimeout(() => undefined, 60_000);
  const own = timers.within(() => setInterval(() => undefined, 60_000));
  expect(await timers.left(200)).toBe(1);
  clearInterval(own);
  expect(await timers.left(200)).toBe(0);
  clearTimeout(other);
  timers.stop();
});

it('blames what was late in every try, and not what was late once', async () => {
  let late = 0;
  const slow = (times: number): EngineDefinition =>
    defined((given) => ({
      ...honest(given),
      commit: () => (late++ < times ? new Promise<never>(() => undefined) : Promise.resolve('committed' as const)),
    }));
  expect((await checkEngine(slow(1), { groups: ['shape'], patienceMs: 200 })).failedGroups).toEqual([]);
  late = 0;
  expect((await checkEngine(slow(1_000), { groups: ['shape'], patienceMs: 200 })).failedGroups).toEqual(['cancel']);
}, 120_000);
