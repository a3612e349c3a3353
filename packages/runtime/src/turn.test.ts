import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPalimpsestError } from '@palimpsest/contracts';
import type { Entry, Json, Session, ToolOutput } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel, type Reply } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
afterAll(async () => {
  await bench.close();
});

const tools = [
  tool('echo', (input) => Promise.resolve(`echo ${JSON.stringify(input)}`)),
  tool('broken', () => Promise.reject(new Error('the disk is on fire'))),
  tool('table', () => Promise.resolve({ rows: [1, 2], ok: true })),
  tool(
    'slow-first',
    (input) =>
      new Promise((resolve) => {
        setTimeout(
          () => {
            resolve(`done ${JSON.stringify(input)}`);
          },
          (input as { ms: number }).ms,
        );
      }),
  ),
];

let odd: unknown;
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({
    model,
    tools: [...tools, tool('odd', () => Promise.resolve(odd)), tool('big', () => Promise.resolve(prose(8_000, 'big')))],
  });
});

async function opened(): Promise<Session> {
  return runtime.openSession();
}

async function configured(config: {
  readonly [section: string]: Json;
}): Promise<{ readonly other: HostRuntime; readonly session: Session }> {
  const other = await bench.runtime({ model, tools, config });
  return { other, session: await other.openSession() };
}

function resultsOf(entries: readonly Entry[]): readonly { readonly id: string; readonly output: ToolOutput }[] {
  return entries.flatMap((entry) =>
    entry.kind === 'message' && entry.message.role === 'tool'
      ? entry.message.content.map(({ toolCallId, output }) => ({ id: toolCallId, output }))
      : [],
  );
}

it('answers a text and logs prompt, user, step and reply', async () => {
  model.says({ text: 'Hello.' });
  const session = await opened();
  const result = await session.send('Hi').result;
  expect(result).toMatchObject({ text: 'Hello.', ended: 'answered', steps: 1, usage: { input: 10, output: 5 } });
  const entries = await entriesOf(runtime, session.id);
  expect(kindsOf(entries)).toEqual(['prompt', 'user', 'step', 'assistant']);
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(new Set(entries.slice(1).map(({ turn }) => turn))).toEqual(new Set([result.turn]));
  expect(model.requests[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }]);
});

it('runs a tool loop to its answer and adds up usage', async () => {
  model.says(
    { calls: [{ name: 'echo', input: { n: 1 } }] },
    { text: 'Once more.', calls: [{ name: 'echo', input: { n: 2 } }] },
    { text: 'Done.' },
  );
  const session = await opened();
  const result = await session.send('Go').result;
  expect(result).toMatchObject({ text: 'Done.', ended: 'answered', steps: 3, usage: { input: 30, output: 15 } });
  const entries = await entriesOf(runtime, session.id);
  expect(kindsOf(entries)).toEqual(['prompt', 'user', 'step', 'assistant', 'tool', 'step', 'assistant', 'tool', 'step', 'assistant']);
  expect(resultsOf(entries).map(({ output }) => output.value)).toEqual(['echo {"n":1}', 'echo {"n":2}']);
  expect(model.requests[2]?.messages).toHaveLength(5);
});

it('answers each call of a reply in the order of the calls, whatever finishes first', async () => {
  const calls = [40, 5, 20].map((ms, index) => ({ name: 'slow-first', input: { ms }, id: `p${String(index)}` }));
  model.says({ calls }, { text: 'ok' });
  const session = await opened();
  await session.send('Go').result;
  expect(resultsOf(await entriesOf(runtime, session.id)).map(({ id }) => id)).toEqual(['p0', 'p1', 'p2']);
});

it('gives an unknown tool, a throwing tool and one that answers with JSON one result each', async () => {
  const calls = [{ name: 'no-such-tool' }, { name: 'broken' }, { name: 'table' }];
  model.says({ calls }, { text: 'I see.' });
  const session = await opened();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: 'I see.' });
  const [unknown, broken, table] = resultsOf(await entriesOf(runtime, session.id)).map(({ output }) => output);
  expect(unknown?.type).toBe('error-text');
  expect(unknown?.value).toContain('no-such-tool');
  expect(broken).toEqual({ type: 'error-text', value: 'the disk is on fire' });
  expect(JSON.parse(String(table?.value))).toEqual({ rows: [1, 2], ok: true });
});

it.each([
  ['an object that looks like an output and is none', { type: 'text', value: 42 }],
  ['content that is no list', { type: 'content', value: 'no list' }],
  ['undefined', undefined],
  ['null', null],
  ['a number', 3],
  ['something circular', circular()],
  ['a big integer', 10n],
  ['an empty text', ''],
])('takes %s from a tool without harm to the session', async (_name, value) => {
  model.says({ calls: [{ name: 'odd' }] }, { text: 'fine' });
  odd = value;
  const session = await opened();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: 'fine' });
  expect(await session.send('And again').result).toMatchObject({ ended: 'answered' });
  expect((await session.why()).verified).toBe(true);
});

function circular(): unknown {
  const ring: { self?: unknown } = {};
  ring.self = ring;
  return ring;
}

it('keeps images of a user message, counts them and sends them', async () => {
  model.says({ text: 'A cat.' });
  const session = await opened();
  await session.send({
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
    ],
  }).result;
  const user = (await entriesOf(runtime, session.id)).find((entry) => entry.kind === 'message');
  expect(user?.tokens).toBeGreaterThan(1_600);
  expect(model.requests[0]?.messages[0]?.content).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image', image: 'aGVsbG8=', mediaType: 'image/png' },
  ]);
  expect((await session.why()).body).toContain('aGVsbG8=');
});

it('ends at the step limit and goes on by itself once', async () => {
  model.says({ calls: [{ name: 'echo' }] });
  const { other, session } = await configured({ agent: { max_steps: 2 } });
  expect(await session.send('Go').result).toMatchObject({ ended: 'step-limit', steps: 4 });
  expect(model.requests).toHaveLength(4);
  const origins = (await entriesOf(other, session.id)).flatMap((entry) =>
    entry.kind === 'message' && entry.message.role === 'user' ? [entry.origin] : [],
  );
  expect(origins).toEqual(['user_input', 'continuation']);
});

it('does not go on by itself when that is off', async () => {
  model.says({ calls: [{ name: 'echo' }] });
  const { session } = await configured({ agent: { max_steps: 2 }, compaction: { auto_continue: false } });
  expect(await session.send('Go').result).toMatchObject({ ended: 'step-limit' });
  expect(model.requests).toHaveLength(2);
});

it('goes on after a reply that was cut by the output limit', async () => {
  model.says({ text: 'half of', finish: 'length' }, { text: ' it' });
  const session = await opened();
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: ' it', steps: 2 });
  model.says({ text: 'half of', finish: 'length' });
  const { session: off } = await configured({ compaction: { auto_continue: false } });
  expect(await off.send('Go').result).toMatchObject({ ended: 'output-cap', text: 'half of' });
});

const overflow: Reply = { fault: { kind: 'overflow', message: 'prompt is too long' } };
const filled = (): readonly Reply[] => [{ calls: Array.from({ length: 6 }, () => ({ name: 'big' })) }, { text: 'read' }];

it('recovers from an overflow, twice in a row, and starts counting again after a reply', async () => {
  const session = await opened();
  model.says(...filled());
  await session.send('Read all').result;
  model.says(overflow, overflow, { calls: [{ name: 'big' }] }, overflow, overflow, { text: 'made it' });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered', text: 'made it' });
  const steps = (await entriesOf(runtime, session.id)).flatMap((entry) => (entry.kind === 'step' ? [entry] : [])).slice(2);
  expect(steps.map(({ outcome }) => outcome.kind)).toEqual(['failed', 'failed', 'reply', 'failed', 'failed', 'reply']);
  const tokens = steps.map(({ judgement }) => judgement.tokens);
  for (const at of [1, 2, 4, 5]) expect(tokens[at]).toBeLessThanOrEqual(0.9 * (tokens[at - 1] ?? 0));
});

it('takes the limit that the provider states', async () => {
  const session = await opened();
  model.says(...filled());
  await session.send('Read all').result;
  model.says({ fault: { kind: 'overflow', message: 'too long', limit: 32_000, requested: 50_000 } }, { text: 'fits' });
  expect(await session.send('Go').result).toMatchObject({ ended: 'answered' });
  expect((await session.why()).budget).toMatchObject({ inputCap: { origin: 'learned' } });
  expect((await session.why()).judgement.tokens).toBeLessThanOrEqual(32_000);
});

it('is exhausted when the third request in a row is too long, and the session stays usable', async () => {
  const session = await opened();
  model.says(...filled());
  await session.send('Read all').result;
  model.says(overflow, overflow, overflow, { text: 'back' });
  const exhausted: number[] = [];
  session.on('context.exhausted', ({ tokens }) => {
    exhausted.push(tokens);
  });
  await expect(session.send('Go').result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED', kind: 'session' });
  expect(exhausted).toEqual([(await session.why()).judgement.tokens]);
  expect(model.requests).toHaveLength(3);
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered', text: 'back' });
});

it('says numbers that agree when nothing is left to shrink', async () => {
  const session = await opened();
  model.says(overflow);
  const error: unknown = await session.send('Tiny').result.catch((thrown: unknown) => thrown);
  if (!isPalimpsestError(error, 'CONTEXT_EXHAUSTED')) throw error;
  const { tokens, effective, parts } = error.details as { tokens: number; effective: number; parts: Record<string, number> };
  expect(tokens).toBeGreaterThan(effective);
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokens);
});

it.each(['rate_limit', 'auth', 'quota', 'invalid', 'network', 'unknown', 'output_cap', 'payload_size', 'overloaded'] as const)(
  'fails the turn on %s with MODEL_FAILED',
  async (kind) => {
    model.says({ fault: { kind, message: 'no' } }, { text: 'later' });
    const session = await opened();
    await expect(session.send('Go').result).rejects.toMatchObject({ code: 'MODEL_FAILED', details: { fault: kind } });
    expect((await entriesOf(runtime, session.id)).at(-1)).toMatchObject({ kind: 'step', outcome: { kind: 'failed', fault: { kind } } });
    expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
  },
);

it('turns a model that rejects into a typed failure', async () => {
  model.does((_request, call) => (call === 0 ? Promise.reject(new Error('socket hang up')) : { text: 'ok' }));
  const session = await opened();
  await expect(session.send('Go').result).rejects.toMatchObject({ name: 'PalimpsestError', code: 'MODEL_FAILED' });
  expect(await session.send('Again').result).toMatchObject({ ended: 'answered' });
});

it('runs the scripted model of a configuration', async () => {
  const scripted = await bench.runtime({
    tools,
    config: {
      models: { one: { provider: 'scripted', script: [{ tool_calls: [{ name: 'echo', input: {} }] }, { text: 'scripted' }] } },
      agent: { model: 'one' },
    },
  });
  const session = await scripted.openSession();
  expect(await session.send('Hi').result).toMatchObject({ text: 'scripted', steps: 2 });
});

it('names the models it knows when none or an unknown one is chosen', async () => {
  const two = await bench.runtime({
    config: { models: { a: { provider: 'scripted', script: [{ text: 'x' }] }, b: { provider: 'scripted', script: [{ text: 'y' }] } } },
  });
  await expect(two.openSession()).rejects.toMatchObject({ code: 'MODEL_UNKNOWN', details: { known: ['a', 'b'] } });
  const other = await bench.runtime({ config: { agent: { model: 'c' } } });
  await expect(other.openSession()).rejects.toMatchObject({ code: 'MODEL_UNKNOWN', kind: 'config' });
});
