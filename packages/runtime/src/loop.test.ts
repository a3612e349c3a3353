import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AssistantMessage, Prepared, Refusal, Session, SessionId, StepId } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({
    model,
    tools: [tool('echo', (input) => Promise.resolve(`echo ${JSON.stringify(input)}`))],
    config: { agent: { max_steps: 3 }, models: { main: { provider: 'scripted', script: [{ text: '-' }], window_tokens: 16_000 } } },
  });
});
afterAll(async () => {
  await bench.close();
});

const saying = (text: string): AssistantMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const asking = (...ids: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  content: ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'echo', input: {} })),
});

async function prepared(session: Session): Promise<Prepared> {
  const step: Prepared | Refusal = await session.loop.prepare();
  if ('refused' in step) throw new Error(`refused: ${step.refused}`);
  return step;
}

it('lets a host keep its own loop, and calls no model', async () => {
  const session = await runtime.openSession();
  const turn = await session.loop.submit('Go');
  const first = await prepared(session);
  expect(first.request.messages).toHaveLength(1);
  expect(first.why.judgement.mark).toBe('under');
  expect(await session.loop.record(first.stepId, { reply: asking('a', 'b') })).toMatchObject({
    next: 'tools',
    calls: [{ id: 'a' }, { id: 'b' }],
  });
  expect(await session.loop.recordToolResult(first.stepId, 'b', { n: 1 })).toEqual({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'b', toolName: 'echo', output: { type: 'text', value: '{"n":1}' } }],
  });
  await session.loop.recordToolResult(first.stepId, 'a', new Error('no'));
  const second = await prepared(session);
  expect(second.request.messages).toHaveLength(4);
  expect(
    await session.loop.record(second.stepId, {
      reply: saying('Done.'),
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 0 },
    }),
  ).toEqual({ next: 'done', ended: 'answered' });
  const entries = await entriesOf(runtime, session.id);
  expect(kindsOf(entries)).toEqual(['prompt', 'user', 'step', 'assistant', 'tool', 'tool', 'step', 'assistant']);
  expect(entries.at(-2)).toMatchObject({ turn, usage: { input: 1, cacheWrite: 4 } });
  expect((await session.why()).verified).toBe(true);
  expect(model.requests).toHaveLength(0);
});

it('refuses steps that are unknown, superseded or recorded, calls that are not open, and a turn that was not begun', async () => {
  const session = await runtime.openSession();
  await expect(session.loop.prepare()).rejects.toMatchObject({ code: 'LOOP_NO_TURN' });
  await expect(session.loop.record('step-1' as StepId, { reply: saying('x') })).rejects.toMatchObject({ code: 'LOOP_NO_TURN' });
  await session.loop.submit('Go');
  const old = await prepared(session);
  const step = await prepared(session);
  await expect(session.loop.record(old.stepId, { reply: saying('x') })).rejects.toMatchObject({ code: 'LOOP_STEP_UNKNOWN' });
  await session.loop.record(step.stepId, { reply: asking('a') });
  await expect(session.loop.record(step.stepId, { reply: asking('a') })).rejects.toMatchObject({ code: 'LOOP_STEP_UNKNOWN' });
  await expect(session.loop.recordToolResult(step.stepId, 'zz', 'x')).rejects.toMatchObject({ code: 'LOOP_CALL_UNKNOWN' });
  await session.loop.recordToolResult(step.stepId, 'a', 'x');
  await expect(session.loop.recordToolResult(step.stepId, 'a', 'x')).rejects.toMatchObject({ code: 'LOOP_CALL_UNKNOWN' });
});

it('appends one step when the same step is recorded twice at once', async () => {
  const session = await runtime.openSession();
  await session.loop.submit('Go');
  const step = await prepared(session);
  const twice = await Promise.allSettled([
    session.loop.record(step.stepId, { reply: saying('x') }),
    session.loop.record(step.stepId, { reply: saying('x') }),
  ]);
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(kindsOf(await entriesOf(runtime, session.id))).toEqual(['prompt', 'user', 'step', 'assistant']);
});

it('answers an overflow with retry twice, then with exhausted', async () => {
  const session = await runtime.openSession();
  for (let turn = 0; turn < 4; turn += 1) {
    await session.loop.submit(`Turn ${String(turn)} ${'words '.repeat(900)}`);
    await session.loop.record((await prepared(session)).stepId, { reply: saying(`Answer ${String(turn)} ${'more '.repeat(600)}`) });
  }
  await session.loop.submit('Go');
  const nexts: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { stepId } = await prepared(session);
    nexts.push((await session.loop.record(stepId, { error: { kind: 'overflow', message: 'too long' } })).next);
  }
  expect(nexts).toEqual(['retry', 'retry', 'exhausted']);
});

it('takes anything as an error and ends the turn as failed', async () => {
  const session = await runtime.openSession();
  await session.loop.submit('Go');
  const { stepId } = await prepared(session);
  expect(await session.loop.record(stepId, { error: new Error('boom') })).toEqual({ next: 'done', ended: 'failed' });
  expect((await entriesOf(runtime, session.id)).at(-1)).toMatchObject({
    outcome: { kind: 'failed', fault: { kind: 'unknown', message: 'boom' } },
  });
});

it('refuses a step above the limit and an aborted one', async () => {
  const session = await runtime.openSession();
  await session.loop.submit('Go');
  expect(await session.loop.prepare({ signal: AbortSignal.abort() })).toEqual({ refused: 'aborted' });
  for (let step = 0; step < 3; step += 1) {
    const { stepId } = await prepared(session);
    await session.loop.record(stepId, { reply: asking(`c${String(step)}`) });
    await session.loop.recordToolResult(stepId, `c${String(step)}`, 'ok');
  }
  expect(await session.loop.prepare()).toEqual({ refused: 'step-limit' });
});

it('gives calls that the host never answered their result before the next request', async () => {
  const session = await runtime.openSession();
  await session.loop.submit('Go');
  const { stepId } = await prepared(session);
  await session.loop.record(stepId, { reply: asking('a', 'b') });
  await session.loop.recordToolResult(stepId, 'a', 'ok');
  const next = await prepared(session);
  expect(JSON.stringify(next.request.messages)).toContain('interrupted, outcome unknown');
  expect(next.request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
});

it('ends the open turn when the next one is submitted, and shows both', async () => {
  const session = await runtime.openSession();
  const ends: string[] = [];
  session.on('turn.completed', ({ ended }) => {
    ends.push(ended);
  });
  await session.loop.submit('One');
  await session.loop.submit('Two');
  expect(ends).toEqual(['aborted']);
  expect((await prepared(session)).request.messages).toHaveLength(2);
});

it('shows a newest input that is too large as far as it fits', async () => {
  const session = await runtime.openSession();
  await session.loop.submit({
    content: Array.from({ length: 13 }, () => ({ type: 'image' as const, image: 'aGk=', mediaType: 'image/png' })),
  });
  const { why, request } = await prepared(session);
  expect(why.judgement.tokens).toBeLessThanOrEqual(why.budget.effective);
  expect(JSON.stringify(request.messages)).toContain('[image]');
});

it('refuses what cannot fit, with the numbers, and the session stays usable', async () => {
  const chosen = { model, limits: { window: { tokens: 16_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null } };
  const id = 'too-small' as SessionId;
  const tight = await runtime.open({ id, name: null, tools: [], chosen, system: prose(14_000, 's') });
  await tight.session.loop.submit('Go');
  const step = await tight.session.loop.prepare();
  expect(step).toMatchObject({ refused: 'exhausted', effective: 12_000 });
  const { tokens, parts } = step as Refusal & { readonly refused: 'exhausted' };
  expect(tokens).toBeGreaterThan(12_000);
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokens);
  expect((await entriesOf(runtime, id)).at(-1)).toMatchObject({ kind: 'step', outcome: { kind: 'refused', code: 'CONTEXT_EXHAUSTED' } });
  await tight.session.close();
  const { session } = await runtime.open({ id, name: null, tools: [], chosen, system: 'Short.' });
  await session.loop.submit('Again');
  expect((await prepared(session)).request.messages).toHaveLength(2);
});

it("leaves the host's tools to the host, and refuses unknown ones", async () => {
  const session = await runtime.openSession();
  await expect(session.loop.callTool('echo', { a: 1 })).rejects.toMatchObject({ code: 'TOOL_UNKNOWN' });
  await expect(session.loop.callTool('nothing', {})).rejects.toMatchObject({ code: 'TOOL_UNKNOWN' });
});

it('keeps a tool group whole when room is made in its middle and the session is opened again', async () => {
  const session = await runtime.openSession({ id: 'middle' });
  for (let turn = 0; turn < 4; turn += 1) {
    await session.loop.submit(`Turn ${String(turn)} ${'words '.repeat(400)}`);
    const { stepId } = await prepared(session);
    await session.loop.record(stepId, { reply: saying(`Answer ${String(turn)} ${'more '.repeat(300)}`) });
  }
  await session.loop.submit('Now the tools');
  const { stepId } = await prepared(session);
  await session.loop.record(stepId, { reply: asking('a', 'b') });
  await session.loop.recordToolResult(stepId, 'a', 'first');
  expect(await session.compact()).toContain('compacted');
  await session.loop.recordToolResult(stepId, 'b', 'second');
  const before = await prepared(session);
  const reader = await bench.runtime({
    model,
    config: { store: runtime.config.store.path === null ? {} : { path: runtime.config.store.path }, agent: { max_steps: 3 } },
  });
  const again = await reader.open({
    id: session.id,
    name: null,
    tools: [],
    chosen: { model, limits: { window: { tokens: 16_000, origin: 'config' }, maxOutputTokens: null, inputCap: null } },
  });
  const groups = again.kit.journal
    .shown()
    .flatMap((unit) =>
      unit.kind === 'entry' && unit.placed.entry.kind === 'message' && unit.placed.entry.message.role === 'tool' ? [unit.placed.group] : [],
    );
  expect(groups).toHaveLength(2);
  expect(new Set(groups).size).toBe(1);
  expect(before.request.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  await again.session.close();
});
