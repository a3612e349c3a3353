import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Hooks, ModelRequest, Session } from '@palimpsest/contracts';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { definition } from '../test/engines.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

type Mutable = { -readonly [Name in keyof Hooks]: Hooks[Name][number][] };
let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
const hooks: Mutable = { transformRequest: [], beforeCompaction: [], guardTool: [] };
let ran: string[] = [];
beforeAll(async () => {
  bench = await Bench.open();
  const named = (name: string): ReturnType<typeof tool> =>
    tool(name, () => {
      ran.push(name);
      return Promise.resolve(`${name} ran`);
    });
  runtime = await bench.runtime({ model, hooks, windowTokens: 16_000, tools: [named('read'), named('delete')] });
});
beforeEach(() => {
  for (const list of Object.values(hooks)) list.length = 0;
  ran = [];
});
afterAll(async () => {
  await bench.close();
});

const user = (text: string): ModelRequest['messages'][number] => ({ role: 'user', content: [{ type: 'text', text }] });

async function outputs(session: Session): Promise<string> {
  return JSON.stringify(
    (await entriesOf(runtime, session.id)).filter((entry) => entry.kind === 'message' && entry.message.role === 'tool'),
  );
}

it('sends what transform-request hooks made of the request, counts it, and rebuilds it', async () => {
  hooks.transformRequest.push(
    {
      name: 'reminder',
      breaksCache: true,
      run: (request) =>
        Promise.resolve({
          request: { ...request, messages: [...request.messages, user(`Remember: ${prose(400, 'r')}`)] },
          replacedConversation: false,
        }),
    },
    { name: 'silent', breaksCache: false, run: () => Promise.resolve(null) },
  );
  model.says({ text: 'ok' });
  const session = await runtime.openSession();
  await session.send('Hi').result;
  expect(model.requests[0]?.messages).toHaveLength(2);
  const why = await session.why();
  expect(why.verified).toBe(true);
  expect(why.body).toContain('Remember: ');
  expect(why.breakReason).toBe('hook');
  expect(why.judgement.tokens).toBeGreaterThan(400);
  await session.send('Again').result;
  expect((await session.why()).budget.fixed.hooks).toBeGreaterThan(300);
  expect((await session.why(1)).verified).toBe(true);
});

it('lets a hook replace the conversation, and makes no room in the session for it', async () => {
  hooks.transformRequest.push({
    name: 'other',
    breaksCache: true,
    run: (request) =>
      Promise.resolve({ request: { ...request, messages: [user(`Something else ${prose(8_000, 'x')}`)] }, replacedConversation: true }),
  });
  model.says({ text: 'ok' });
  const session = await runtime.openSession();
  const maintained: string[] = [];
  session.on('maintenance.started', ({ trigger }) => {
    maintained.push(trigger);
  });
  expect(await session.send('Hi').result).toMatchObject({ ended: 'answered' });
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Something else');
  expect(maintained).toEqual([]);
  expect(['start', 'hard']).toContain((await session.why()).judgement.mark);
  expect((await session.why()).verified).toBe(true);
});

it('sends nothing that a hook made too large', async () => {
  hooks.transformRequest.push({
    name: 'flood',
    breaksCache: true,
    run: (request) =>
      Promise.resolve({ request: { ...request, messages: [...request.messages, user(prose(20_000, 'x'))] }, replacedConversation: false }),
  });
  model.says({ text: 'never' });
  const session = await runtime.openSession();
  await expect(session.send('Hi').result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED' });
  expect(model.requests).toHaveLength(0);
});

it('ends the turn with a typed error when a transform-request hook throws', async () => {
  hooks.transformRequest.push({ name: 'broken', breaksCache: false, run: () => Promise.reject(new Error('hook broke')) });
  model.says({ text: 'ok' });
  const session = await runtime.openSession();
  await expect(session.send('Hi').result).rejects.toMatchObject({ name: 'PalimpsestError' });
  hooks.transformRequest.length = 0;
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
});

it('runs no tool that a guard denies or asks about, and gives the call its result', async () => {
  hooks.guardTool.push(
    { name: 'no-opinion', run: () => Promise.resolve(null) },
    {
      name: 'careful',
      run: ({ name }) => Promise.resolve(name === 'delete' ? { deny: 'deleting is off limits' } : name === 'read' ? 'allow' : 'ask'),
    },
    { name: 'late', run: () => Promise.resolve({ deny: 'never asked' }) },
  );
  model.says({ calls: [{ name: 'delete' }, { name: 'read' }, { name: 'other' }] }, { text: 'ok' });
  const session = await runtime.openSession();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  expect(ran).toEqual(['read']);
  expect(await outputs(session)).toContain('deleting is off limits');
  expect(await outputs(session)).toContain('read ran');
  expect(await outputs(session)).toContain('approval');
  expect(await outputs(session)).not.toContain('never asked');
});

it.each([
  ['rejects', (): Promise<never> => Promise.reject(new Error('guard broke'))],
  [
    'throws',
    (): never => {
      throw new Error('guard broke');
    },
  ],
])('denies when a guard %s', async (_how, run) => {
  hooks.guardTool.push({ name: 'broken', run });
  model.says({ calls: [{ name: 'delete' }] }, { text: 'ok' });
  const session = await runtime.openSession();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  expect(ran).toEqual([]);
  expect(await outputs(session)).toContain('guard broke');
});

it('defers a soft compaction for a hook, never one at the hard mark', async () => {
  const asked: string[] = [];
  hooks.beforeCompaction.push({
    name: 'not-now',
    run: ({ trigger }) => {
      asked.push(trigger);
      return Promise.resolve({ defer: true });
    },
  });
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(500, 'a')}` }));
  const session = await runtime.openSession();
  const events: string[] = [];
  session.on('compaction.deferred', ({ guard }) => {
    events.push(guard);
  });
  for (let turn = 0; turn < 30; turn += 1)
    expect(await session.send(`Question ${String(turn)} ${prose(500, 'q')}`).result).toMatchObject({ ended: 'answered' });
  expect(asked.length).toBeGreaterThan(0);
  expect(events).toContain('hook not-now');
  expect((await session.status()).compaction).not.toBeNull();
  const wide = await session.status();
  expect(wide.budget.fixed.total + wide.shownTokens).toBeLessThanOrEqual(wide.budget.effective);
});

it('hands the engine how much of the newest part to keep, hook after hook', async () => {
  const asked: (number | null)[] = [];
  const engine = definition({
    compact: ({ keepRecent }) => {
      asked.push(keepRecent);
      return Promise.resolve({ kind: 'noop', reason: 'no-gain' });
    },
  });
  const keeping = await bench.runtime({
    model,
    hooks,
    plugins: [engine],
    config: { context: { engine: 'strange' }, compaction: { keep_recent_tokens: 700 } },
  });
  const session = await keeping.openSession();
  model.says({ text: 'ok' });
  await session.send('Hi').result;
  await session.compact();
  hooks.beforeCompaction.push(
    { name: 'more', run: ({ keepRecent }) => Promise.resolve({ keepRecent: (keepRecent ?? 0) + 50 }) },
    { name: 'broken', run: () => Promise.reject(new Error('no')) },
  );
  await session.compact();
  hooks.beforeCompaction.push({ name: 'double', run: ({ keepRecent }) => Promise.resolve({ keepRecent: (keepRecent ?? 0) * 2 }) });
  await session.compact();
  expect(asked).toEqual([700, 750, 1_500]);
});
