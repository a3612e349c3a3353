import { describe, expect, it } from 'vitest';
import type { ContextPlan, EntryId, PlanRequest, Segment } from '@palimpsest/contracts';
import { KernelBench, noClaims, TalkingModel, whole } from '../../test/bench.ts';

describe('a bad plan', () => {
  it('is returned once to its engine with what is wrong with it', async () => {
    const asked: PlanRequest[] = [];
    const bench = new KernelBench();
    const { session, kit } = await bench.open({
      engine: {
        plan: (request) => {
          asked.push(request);
          return asked.length === 1 ? { segments: [{ through: 'nowhere' as never, show: 'entries' }], estimateTokens: 0 } : whole(request);
        },
      },
    });
    expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
    expect(asked).toHaveLength(2);
    expect(asked[0]).not.toHaveProperty('rejected');
    expect(asked[1]?.rejected).toEqual([
      { rule: 'edge-unknown', problem: 'a segment ends at nowhere, which is no edge of this path' },
      { rule: 'not-whole', problem: 'the last segment does not end at the leaf' },
    ]);
    expect(Object.isFrozen(asked[1]?.rejected)).toBe(true);
    expect(kit.engine.failures).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['is no object', 7, 'plan-invalid'],
    [
      'has a segment that shows what does not exist',
      { segments: [{ through: 'x', show: 'everything' }], estimateTokens: 0 },
      'plan-invalid',
    ],
  ])('that %s is named so', async (_name, answer, rule) => {
    const asked: PlanRequest[] = [];
    const { session } = await new KernelBench().open({
      engine: {
        plan: (request) => {
          asked.push(request);
          return answer as ContextPlan;
        },
      },
    });
    await expect(session.send('Go').result).rejects.toMatchObject({ code: 'ENGINE_PLAN_INVALID', details: { rule } });
    expect(asked.map(({ rejected }) => rejected?.map((one) => one.rule))).toEqual([undefined, [rule]]);
  });

  it('that names an artifact which does not exist is one, and the engine that stands in answers', async () => {
    const asked: PlanRequest[] = [];
    const engine = {
      plan: async (request: PlanRequest): Promise<ContextPlan> => {
        asked.push(request);
        let first: EntryId | null = null;
        for await (const { entry } of request.branch.oldestFirst(null)) if (entry.kind === 'prompt') first ??= entry.id;
        const summary: Segment = {
          through: first ?? request.branch.first,
          show: 'summary',
          text: { artifact: 'nowhere' as never },
          tokens: 1,
          quality: 'model',
          trust: 'user',
        };
        return { segments: [summary, { through: request.branch.last, show: 'entries' }], estimateTokens: 0 };
      },
    };
    const { session } = await new KernelBench().open({
      engine,
      guard: { fallback: { name: 'spare@1', engine: { plan: whole }, claims: noClaims } },
    });
    expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
    expect(asked.map(({ rejected }) => rejected?.map(({ rule }) => rule))).toEqual([undefined, ['artifact-unknown']]);
    expect((await session.why()).engine).toBe('spare@1');
  });

  it('of the engine that stands in is a failure of that one', async () => {
    const bad = { plan: (): ContextPlan => ({ segments: [], estimateTokens: 0 }) };
    const { session } = await new KernelBench().open({
      engine: bad,
      guard: { fallback: { name: 'spare@1', engine: bad, claims: noClaims } },
    });
    await expect(session.send('Go').result).rejects.toMatchObject({ code: 'ENGINE_PLAN_INVALID', details: { engine: 'spare@1' } });
  });
});

it('tells an engine that threw nothing but to try again', async () => {
  const asked: PlanRequest[] = [];
  const { session } = await new KernelBench().open({
    engine: {
      plan: (request) => {
        asked.push(request);
        if (asked.length === 1) throw new Error('boom');
        return whole(request);
      },
    },
  });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  expect(asked[1]).not.toHaveProperty('rejected');
});

it('sends the plan that was checked, whatever the engine does to it afterwards', async () => {
  const model = new TalkingModel();
  const segments: Segment[] = [];
  const bench = new KernelBench();
  bench.hooks.transformRequest.push({
    name: 'in between',
    breaksCache: false,
    run: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          resolve(null);
        });
      }),
  });
  const { session } = await bench.open({
    model,
    engine: {
      plan: (request) => {
        segments.push({ through: request.branch.last, show: 'entries' });
        setImmediate(() => {
          segments.length = 0;
        });
        return Promise.resolve({ segments, estimateTokens: 0 });
      },
    },
  });
  await session.send('Go').result;
  expect((await session.why()).blocks).toHaveLength(1);
  expect((await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.plan.segments.length] : []))).toEqual([1]);
});

describe('an engine that fails in turn after turn', () => {
  const spare = { name: 'spare@1', engine: { plan: whole }, claims: noClaims };

  it('is not asked again for a while; then one turn is a probe', async () => {
    let asked = 0;
    let broken = true;
    const bench = new KernelBench();
    const plan = (request: PlanRequest): ReturnType<typeof whole> => {
      asked += 1;
      if (broken) throw new Error('boom');
      return whole(request);
    };
    const { session } = await bench.open({ engine: { plan }, guard: { fallback: spare } });
    for (let turn = 0; turn < 5; turn += 1) expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
    expect(asked).toBe(6); // twice in each of three turns, then left alone
    expect(await session.why()).toMatchObject({
      engine: 'spare@1',
      declined: [{ why: expect.stringContaining('failed in turn after turn') as string }],
    });
    broken = false;
    await bench.clock.advance(60_000);
    await session.send('Again').result;
    expect(asked).toBe(7);
    expect((await session.why()).engine).not.toBe('spare@1');
  });

  it('is not asked to make room between turns either, and is back in the turn after the pause', async () => {
    const asked: string[] = [];
    const replaced: string[] = [];
    const bench = new KernelBench();
    const engine = {
      plan: (request: PlanRequest): ReturnType<typeof whole> => {
        asked.push('plan');
        return whole(request);
      },
      begin: () => Promise.reject(new Error('boom')),
      compact: () => {
        asked.push('compact');
        return Promise.resolve({ kind: 'noop', reason: 'no-gain' } as const);
      },
    };
    const { session, kit } = await bench.open({ engine, guard: { fallback: spare } });
    session.on('engine.replaced', ({ to }) => {
      replaced.push(to);
    });
    const makeRoom = (): Promise<unknown> =>
      kit.engine.compact({
        trigger: 'hygiene',
        goalTokens: 10,
        keepRecent: null,
        focus: null,
        protectedEntries: [],
        budget: kit.views.budget(null),
        signal: new AbortController().signal,
      });
    for (let turn = 0; turn < 3; turn += 1) await session.send('Go').result;
    asked.length = 0;
    await makeRoom();
    expect(kit.engine.name).toBe('spare@1');
    await session.send('Go').result;
    expect([asked, replaced]).toEqual([[], ['spare@1']]);
    await makeRoom();
    await bench.clock.advance(60_000);
    await session.send('Go').result;
    expect(asked).toEqual(['plan']);
    await makeRoom();
    expect(asked).toEqual(['plan']); // the probe failed
  });

  it('is asked in every turn where nobody may stand in', async () => {
    let asked = 0;
    const { session } = await new KernelBench().open({
      engine: {
        plan: () => {
          asked += 1;
          throw new Error('boom');
        },
      },
    });
    for (let turn = 0; turn < 5; turn += 1) await expect(session.send('Go').result).rejects.toMatchObject({ code: 'ENGINE_FAILED' });
    expect(asked).toBe(10);
  });
});
