import { countTokens } from '@palimpsest/budget';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Budget, EngineDefinition, Session, SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { definition, opening, whole } from '../test/engines.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const opened = (...ask: Parameters<ReturnType<typeof opening>>): Promise<Session> => opening(bench, model)(...ask);

it('appends what an engine begins a turn with as notes, and shows them behind the input', async () => {
  model.says({ text: 'ok' });
  const runtime = await bench.runtime({
    model,
    plugins: [definition({ plan: whole, begin: () => Promise.resolve([{ key: 'cue', text: 'you were here before' }]) })],
    config: { context: { engine: 'strange' } },
  });
  const session = await runtime.openSession();
  await session.send('Hi').result;
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  expect(JSON.stringify(model.requests[0]?.messages[1])).toContain('you were here before');
  expect((await entriesOf(runtime, session.id)).map(({ kind }) => kind)).toEqual(['prompt', 'message', 'custom', 'step', 'message']);
  expect((await session.why()).verified).toBe(true);
});

it("offers an engine's tools to the model and runs them", async () => {
  model.says({ calls: [{ name: 'recall', input: { query: 'x' } }] }, { text: 'ok' });
  const session = await opened({
    plan: whole,
    tools: [
      {
        name: 'recall',
        description: 'Recall.',
        inputSchema: { type: 'object' },
        run: (input) => Promise.resolve(`recalled ${JSON.stringify(input)}`),
      },
    ],
  });
  await session.send('Hi').result;
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['recall']);
  expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('recalled');
  expect(await session.loop.callTool('recall', {})).toBe('recalled {}');
});

it("shows of a tool's answer no more than it asked for, and says how much there is", async () => {
  const answers: unknown[] = [prose(9_000, 'n'), 7];
  const session = await opened({
    plan: whole,
    tools: [
      { name: 'recall', description: 'Recall.', inputSchema: { type: 'object' }, run: () => Promise.resolve(answers.shift() as string) },
    ],
  });
  model.says({ calls: [{ name: 'recall' }, { name: 'recall' }] }, { text: 'ok' });
  await session.send('Hi').result;
  const [long, none] = (model.requests[1]?.messages.slice(-2) ?? []).map((message) =>
    message.role === 'tool' ? String(message.content[0]?.output.value) : '',
  );
  expect(long).toMatch(/^n0 n7919 [^]*\n\[cut here: the answer has \d+ tokens, and at most 4000 are shown\]$/u);
  const shown = countTokens(long ?? '', 'o200k_base');
  expect(shown).toBeGreaterThan(3_500);
  expect(shown).toBeLessThanOrEqual(4_000);
  expect(none).toContain('tool recall: answers with no text');
});

const recall = { name: 'recall', description: 'Recall.', inputSchema: { type: 'object' }, run: () => Promise.resolve('') };
it.each<[string, string, () => unknown]>([
  [
    'throws',
    'throws',
    () => {
      throw new Error('no such index');
    },
  ],
  ['never answers', 'deadline', () => new Promise(() => undefined)],
  ['makes nothing', 'engine-invalid', () => undefined],
  ['makes what cannot plan', 'engine-invalid', () => ({})],
  ['makes one whose compact is no function', 'engine-invalid', () => ({ plan: whole, compact: 'yes' })],
  ['makes one whose tools are no list', 'engine-invalid', () => ({ plan: whole, tools: 'x' })],
  [
    'makes one with a tool without a schema',
    'engine-invalid',
    () => ({ plan: whole, tools: [{ name: 'recall', description: '', run: () => '' }] }),
  ],
  ['makes one with two tools of one name', 'engine-invalid', () => ({ plan: whole, tools: [recall, recall] })],
])(
  'lets the built-in engine stand in for one whose factory %s, or refuses',
  async (_what, rule, factory) => {
    model.says({ text: 'fine' });
    const deadlines = { planMs: 10_000, compactMs: 10_000, callMs: 50 };
    const plugins = [{ ...definition({}), factory: factory as EngineDefinition['factory'] }];
    const open = async (policy: 'fallback' | 'fail'): Promise<[HostRuntime, Session]> => {
      const runtime = await bench.runtime({ model, plugins, config: { context: { engine: 'strange', on_engine_failure: policy } } });
      return [
        runtime,
        (await runtime.open({ id: 'made' as SessionId, name: null, tools: [], chosen: await runtime.chosenModel(), deadlines })).session,
      ];
    };
    const [runtime, session] = await open('fallback');
    const said: string[] = [];
    session.on('engine.logged', ({ engine, level }) => {
      said.push(`${engine} ${level}`);
    });
    for (const text of ['Hi', 'Again']) {
      expect(await session.send(text).result).toMatchObject({ ended: 'answered', text: 'fine' });
      expect(await session.why()).toMatchObject({
        engine: 'compressor@0.1.0',
        declined: [{ what: 'engine strange@2.0.0', why: `create: ${rule}; compressor@0.1.0 stands in` }],
      });
    }
    expect((await session.status()).engine).toMatchObject({
      asked: 'strange',
      name: 'compressor',
      resolvedFrom: 'built-in',
      substituted: true,
    });
    expect(runtime.notices).toEqual([
      expect.stringMatching(/^strange@2\.0\.0: Engine strange, create: .*; compressor@0\.1\.0 stands in$/u),
    ]);
    expect(said).toEqual(['strange@2.0.0 warn']);
    await expect(open('fail')).rejects.toMatchObject({
      code: 'ENGINE_FAILED',
      kind: 'plugin',
      details: { engine: 'strange', method: 'create', rule },
    });
  },
  20_000,
);

it('lets the built-in engine stand in for one that is not found, or refuses', async () => {
  model.says({ text: 'ok' });
  const runtime = await bench.runtime({ model, config: { context: { engine: 'nowhere' } } });
  const session = await runtime.openSession();
  expect((await session.status()).engine).toMatchObject({ asked: 'nowhere', name: 'compressor', substituted: true });
  expect(runtime.notices.join('\n')).toContain('nowhere');
  for (const text of ['Hi', 'Again']) {
    await session.send(text).result;
    expect((await session.why()).declined).toEqual([{ what: 'engine nowhere', why: 'was not to be had; compressor@0.1.0 stands in' }]);
  }
  const strict = await bench.runtime({ model, config: { context: { engine: 'nowhere', on_engine_failure: 'fail' } } });
  await expect(strict.openSession()).rejects.toMatchObject({ code: 'ENGINE_UNKNOWN', kind: 'config' });
});

it('makes room at the marks of the manifest, unless the operator has his own', async () => {
  const engines = [definition({}, { marks: { start: 9_000, low: 2_000 } })];
  const budgetOf = async (config: object): Promise<Budget> => {
    const runtime = await bench.runtime({
      model,
      windowTokens: 16_000,
      plugins: engines,
      config: { context: { engine: 'strange' }, ...config },
    });
    return (await (await runtime.openSession()).status()).budget;
  };
  expect((await budgetOf({})).marks).toMatchObject({ low: 2_000, start: 9_000 });
  expect((await budgetOf({ budget: { marks: { start: 7_000 } } })).marks).toMatchObject({ low: 2_000, start: 7_000 });
});

it('reduces nothing itself where the engine claims to', async () => {
  const reducers = async (owns: readonly 'reduce'[]): Promise<readonly string[]> => {
    model.does((_request, call) => (call % 2 === 0 ? { calls: [{ name: 'read' }] } : { text: 'ok' }));
    const read = tool('read', () => Promise.resolve(prose(2_000, `r${String(model.requests.length)}`)));
    const runtime = await bench.runtime({
      model,
      windowTokens: 16_000,
      tools: [read],
      plugins: [definition({}, { owns: [...owns] })],
      config: { context: { engine: 'strange' } },
    });
    const session = await runtime.openSession();
    for (let turn = 0; turn < 12; turn += 1) await session.send('Read it').result;
    return [
      ...new Set(
        (await entriesOf(runtime, session.id)).flatMap((entry) =>
          entry.kind === 'reduction' ? [`${entry.by}: ${String(entry.items[0]?.reason)}`] : [],
        ),
      ),
    ];
  };
  expect(await reducers([])).toContain('host: pruned');
  expect(await reducers(['reduce'])).not.toContain('host: pruned');
});

it.each<readonly [string, unknown, unknown, string]>([
  ['its words', { summary: '3 nodes', details: { nodes: 3 } }, { summary: '3 nodes', details: { nodes: 3 } }, ''],
  ['nothing', undefined, null, ''],
  ['something else', { summary: 7 }, null, 'status: answers with no summary'],
])('shows of an engine that gives as status %s what can be shown', async (_what, answer, shown, failure) => {
  const session = await opened({ plan: whole, status: () => answer as never });
  const { status, failures } = (await session.status()).engine;
  expect(status).toEqual(shown);
  expect(failures.join()).toContain(failure);
});

it("tells what an engine says, also while it is made; a warning is the operator's as well", async () => {
  model.says({ text: 'ok' });
  const strange = definition({});
  const engines: EngineDefinition[] = [
    {
      ...strange,
      factory: (host) => {
        host.log.info('made', { n: 1 });
        return {
          plan: (request) => {
            host.log.warn('planning');
            return whole(request);
          },
        };
      },
    },
  ];
  const runtime = await bench.runtime({ model, plugins: engines, config: { context: { engine: 'strange' } } });
  const session = await runtime.openSession();
  const said: unknown[] = [];
  session.on('engine.logged', ({ engine, level, text, details }) => {
    said.push([engine, level, text, details]);
  });
  await session.send('Hi').result;
  expect(said).toEqual([
    ['strange@2.0.0', 'info', 'made', { n: 1 }],
    ['strange@2.0.0', 'warn', 'planning', null],
  ]);
  expect(runtime.notices).toEqual(['strange@2.0.0: planning']);
});

it('draws an engine the same chances each time its session is opened, and others in another session', async () => {
  const drawn: number[][] = [];
  const engines: EngineDefinition[] = [
    {
      ...definition({}),
      factory: (host) => {
        drawn.push([host.random(), host.random()]);
        return { plan: whole };
      },
    },
  ];
  const runtime = await bench.runtime({ model, plugins: engines, config: { context: { engine: 'strange' } } });
  for (const id of ['one', 'one', 'two']) await (await runtime.openSession({ id })).close();
  expect(drawn[1]).toEqual(drawn[0]);
  expect(new Set(drawn.flat()).size).toBe(4);
  for (const chance of drawn.flat()) expect(chance).toSatisfy((one: number) => one >= 0 && one < 1);
});

it('gives an engine a derived store that is bounded', async () => {
  const { DerivedMap } = await import('./session/derived-map.ts');
  const store = new DerivedMap();
  await store.set('a/1', { n: 1 });
  await store.set('a/2', [2]);
  await store.set('b', 'x');
  expect(await store.get('a/1')).toEqual({ n: 1 });
  expect(await store.get('none')).toBeNull();
  expect(await store.list('a/', 10)).toEqual(['a/1', 'a/2']);
  await expect(store.set('big', 'x'.repeat(4_000_001))).rejects.toMatchObject({ code: 'DERIVED_STORE_FULL' });
  await store.set('b', 'x'.repeat(3_900_000));
  await expect(store.set('c', 'x'.repeat(200_000))).rejects.toMatchObject({ code: 'DERIVED_STORE_FULL' });
  await store.set('b', 'small again');
  await store.set('c', 'x'.repeat(200_000));
  await store.clear();
  expect(await store.list('', 10)).toEqual([]);
});
