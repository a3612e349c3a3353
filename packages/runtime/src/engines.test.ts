import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, EntryId, Session } from '@palimpsest/contracts';
import { Bench, prose } from '../test/bench.ts';
import { definition, opening, whole } from '../test/engines.ts';
import { FunctionModel } from '../test/function-model.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const opened = (...ask: Parameters<ReturnType<typeof opening>>): Promise<Session> => opening(bench, model)(...ask);

const bad: readonly (readonly [string, string, ContextEngine['plan']])[] = [
  [
    'throws',
    'throws',
    () => {
      throw new Error('plan broke');
    },
  ],
  ['rejects', 'throws', () => Promise.reject(new Error('plan broke'))],
  ['answers nothing', '', () => undefined as never],
  ['answers with something else', '', () => ({ segments: 'all' }) as never],
  ['answers with null segments', '', () => ({ segments: [null], estimateTokens: 1 }) as never],
  ['names an unknown edge', 'edge-unknown', () => ({ segments: [{ through: 'nowhere' as EntryId, show: 'entries' }], estimateTokens: 1 })],
  ['leaves the end out', 'not-whole', ({ branch }) => ({ segments: [{ through: branch.first, show: 'entries' }], estimateTokens: 1 })],
  [
    'hides the newest user input',
    'newest-user-entry',
    ({ branch }) => ({ segments: [{ through: branch.last, show: 'nothing', reason: 'I do not like it', reach: null }], estimateTokens: 0 }),
  ],
  [
    'changes the frozen request',
    'throws',
    (request) => {
      (request as { purpose: string }).purpose = 'mine';
      return whole(request);
    },
  ],
  [
    'repeats an edge',
    'edge-order',
    ({ branch }) => ({
      segments: [
        { through: branch.last, show: 'entries' },
        { through: branch.last, show: 'entries' },
      ],
      estimateTokens: 1,
    }),
  ],
  [
    'shows what is no text',
    '',
    ({ branch, newestUserEntry }) => ({
      segments: [
        { through: newestUserEntry ?? branch.last, show: 'entries' },
        { through: branch.last, show: 'summary', text: 7, tokens: 1, quality: 'stub', trust: 'tool' },
      ] as never,
      estimateTokens: 1,
    }),
  ],
];

it.each(bad)(
  'lets the built-in engine stand in when a plan %s, and says so',
  async (_what, rule, plan) => {
    model.says({ text: 'fine' });
    const session = await opened({ plan });
    const events: string[] = [];
    session.on('engine.failed', (event) => {
      events.push(`${event.engine} ${event.method} ${event.rule}`);
    });
    session.on('engine.replaced', ({ from, to }) => {
      events.push(`${from} → ${to}`);
    });
    expect(await session.send('Hi').result).toMatchObject({ ended: 'answered', text: 'fine' });
    if (rule !== '') expect(events[0]).toContain(`plan ${rule}`);
    expect(events.at(-1)).toBe('strange@2.0.0 → compressor@0.1.0');
    expect((await session.status()).engine.failures.length).toBeGreaterThan(0);
    const standsIn = { what: 'engine strange@2.0.0', why: expect.stringMatching(/^plan: .*compressor@0\.1\.0 stands in/u) as string };
    expect(await session.why()).toMatchObject({ verified: true, engine: 'compressor@0.1.0', declined: [standsIn] });
    expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
  },
  20_000,
);

it('says once a session, aloud, that an engine was replaced', async () => {
  model.says({ text: 'fine' });
  const runtime = await bench.runtime({
    model,
    plugins: [
      definition({
        plan: () => {
          throw new Error('plan broke');
        },
      }),
    ],
    config: { context: { engine: 'strange' } },
  });
  for (let opened = 1; opened <= 2; opened += 1) {
    const session = await runtime.openSession();
    for (let turn = 0; turn < 3; turn += 1) await session.send('Hi').result;
    expect(runtime.notices).toHaveLength(opened);
  }
  expect(runtime.notices[0]).toBe(
    'context engine strange@2.0.0 failed (plan: throws); compressor@0.1.0 stands in for the rest of the turn',
  );
});

it('asks a failing engine again in the next turn', async () => {
  let broken = true;
  model.says({ text: 'fine' });
  const session = await opened({
    plan: (request) => {
      if (broken) throw new Error('not yet');
      return whole(request);
    },
  });
  await session.send('Hi').result;
  expect((await session.why()).engine).toContain('compressor');
  broken = false;
  await session.send('Again').result;
  expect(await session.why()).toMatchObject({ engine: 'strange@2.0.0', declined: [] });
});

it('fails the turn and names the engine when nobody may stand in; the session stays usable', async () => {
  let broken = true;
  model.says({ text: 'fine' });
  const session = await opened(
    {
      plan: (request) => {
        if (broken) throw new Error('plan broke');
        return whole(request);
      },
    },
    'fail',
  );
  const ends: string[] = [];
  session.on('turn.completed', ({ ended }) => {
    ends.push(ended);
  });
  await expect(session.send('Hi').result).rejects.toMatchObject({
    name: 'PalimpsestError',
    kind: 'plugin',
    code: 'ENGINE_FAILED',
    details: { engine: expect.stringContaining('strange') as string, method: 'plan' },
  });
  expect(model.requests).toHaveLength(0);
  expect(ends).toEqual(['failed']);
  broken = false;
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
});

it('refuses a bad plan with its rule when nobody may stand in', async () => {
  const session = await opened(
    { plan: () => ({ segments: [{ through: 'nowhere' as EntryId, show: 'entries' }], estimateTokens: 1 }) },
    'fail',
  );
  await expect(session.send('Hi').result).rejects.toMatchObject({
    code: 'ENGINE_PLAN_INVALID',
    details: { rule: expect.stringContaining('edge-unknown') as string },
  });
});

it('keeps the turn when begin, commit, observe and compact throw or answer nonsense', async () => {
  const boom = (): never => {
    throw new Error('boom');
  };
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(500, 'a')}` }));
  const session = await opened({ plan: whole, begin: boom, commit: boom, observe: boom, compact: boom, close: boom, status: boom });
  await session.send(`Question ${prose(500, 'q')}`).result;
  await session.compact(); // while the engine is still asked
  for (let turn = 0; turn < 24; turn += 1)
    expect(await session.send(`Question ${String(turn)} ${prose(500, 'q')}`).result).toMatchObject({ ended: 'answered' });
  const { engine, budget, shownTokens } = await session.status();
  for (const method of ['begin', 'commit', 'observe', 'compact', 'status'])
    expect(engine.failures.join('\n')).toContain(` ${method}: boom`);
  expect(budget.fixed.total + shownTokens).toBeLessThanOrEqual(budget.effective);
  await session.close();
});

it.each([
  [
    'a compaction that covers the newest user input',
    ({ branch }: { branch: { last: EntryId } }): unknown => ({
      kind: 'compacted',
      drafts: { compaction: { segments: [{ through: branch.last, show: 'nothing', reason: 'all', reach: null }] } },
    }),
  ],
  ['an outcome that does not exist', (): unknown => ({ kind: 'great-success' })],
  ['nothing at all', (): unknown => undefined],
  ['a compaction without segments', (): unknown => ({ kind: 'compacted', drafts: { compaction: {} } })],
])('takes %s from compact as a failure and makes room itself', async (_what, outcome) => {
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(500, 'a')}` }));
  const session = await opened({ plan: whole, compact: (request) => Promise.resolve(outcome(request) as never) });
  for (let turn = 0; turn < 20; turn += 1)
    expect(await session.send(`Question ${String(turn)} ${prose(500, 'q')}`).result).toMatchObject({ ended: 'answered' });
  const { budget, shownTokens } = await session.status();
  expect(budget.fixed.total + shownTokens).toBeLessThanOrEqual(budget.effective);
  expect((await session.why()).verified).toBe(true);
});

it('leaves an engine whose compaction failed alone for a minute, also in another process', async () => {
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(500, 'a')}` }));
  let asked = 0;
  const plugins = [
    definition({
      plan: whole,
      compact: () => {
        asked += 1;
        return Promise.reject(new Error('no model'));
      },
    }),
  ];
  const open = async (): Promise<Session> =>
    (
      await bench.runtime({ model, plugins, store: 'guards.db', windowTokens: 16_000, config: { context: { engine: 'strange' } } })
    ).openSession({ id: 'guarded' });
  const session = await open();
  for (let turn = 0; asked === 0; turn += 1) await session.send(`Question ${String(turn)} ${prose(500, 'q')}`).result;
  await session.close();
  const again = await open();
  const deferred: string[] = [];
  again.on('compaction.deferred', ({ guard }) => {
    deferred.push(guard);
  });
  expect(await again.compact()).toContain('no model'); // a command passes once
  expect(await again.compact()).toContain('deferred by cooldown');
  await again.close();
  await (await open()).compact();
  expect([asked, deferred]).toEqual([2, ['cooldown']]);
});
