import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EntryId, HostTool, Session, SessionId } from '@palimpsest/contracts';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import type { HostRuntime } from './index.ts';

const WINDOW_TOKENS = 16_000;
let bench: Bench;
let runtime: HostRuntime;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
  runtime = await bench.runtime({ model, windowTokens: WINDOW_TOKENS, store: 'one.db' });
});
afterAll(async () => {
  await bench.close();
});

/** The same store in another runtime, as another process would open it. */
function elsewhere(tools: readonly HostTool[] = []): Promise<HostRuntime> {
  return bench.runtime({ model, windowTokens: WINDOW_TOKENS, store: 'one.db', tools });
}

/** A session of so many turns of 800 tokens each. */
async function talked(id: string, turns: number, on: HostRuntime = runtime): Promise<Session> {
  const session = await on.openSession({ id });
  model.does((_request, call) => ({ text: `Answer ${String(call)}: ${prose(300, 'a')}` }));
  for (let turn = 0; turn < turns; turn += 1) await session.send(`Question ${String(turn)}: ${prose(500, 'q')}`).result;
  return session;
}

it('compacts on demand, tells what it did, lifts it again and shows the same as before', async () => {
  const session = await talked('compact-undo', 9);
  const before = await session.status();
  const line = await session.compact({ focus: 'the questions' });
  expect(line).toMatch(/^compacted: \d+ → \d+ tokens$/u);
  const compacted = await session.status();
  expect(compacted.shownTokens).toBeLessThan(before.shownTokens);
  expect(compacted.compaction).not.toBeNull();
  for (let lifted = 0; (await session.status()).shownTokens !== before.shownTokens; lifted += 1) {
    expect(lifted).toBeLessThan(3);
    expect(await session.undo()).toMatch(/^lifted /u);
  }
  expect((await session.status()).compaction).toBeNull();
  await expect(session.undo()).rejects.toMatchObject({ code: 'UNDO_NOTHING', kind: 'session' });
  const texts = JSON.stringify(await entriesOf(runtime, session.id));
  for (let turn = 0; turn < 9; turn += 1) expect(texts).toContain(`Question ${String(turn)}:`);
});

it('says of an empty session that there is nothing to compact, and blames nobody', async () => {
  const session = await runtime.openSession();
  const said: string[] = [];
  session.on('compaction.refused', ({ by }) => {
    said.push(by);
  });
  expect(await session.compact()).toBe('nothing changed: there is nothing to compact yet');
  expect(said).toEqual([]);
  expect((await session.status()).engine.failures).toEqual([]);
});

it('says so when there is nothing to compact', async () => {
  const session = await runtime.openSession();
  model.says({ text: 'short' });
  await session.send('Hi').result;
  expect(await session.compact()).toContain('nothing changed');
  await expect(session.undo()).rejects.toMatchObject({ code: 'UNDO_NOTHING' });
});

it('refuses an undo that does not fit, and changes nothing', async () => {
  const session = await talked('too-much', 30);
  const before = await session.status();
  expect(before.compaction).not.toBeNull();
  let refused: unknown = null;
  for (let lifted = 0; refused === null && lifted < 20; lifted += 1)
    refused = await session.undo().then(
      () => null,
      (error: unknown) => error,
    );
  expect(refused).toMatchObject({ code: 'UNDO_DOES_NOT_FIT', details: { effective: 12_000 } });
  const entries = await entriesOf(runtime, session.id);
  await expect(session.undo()).rejects.toMatchObject({ code: 'UNDO_DOES_NOT_FIT' });
  expect(await entriesOf(runtime, session.id)).toEqual(entries);
  expect(await session.send('Go on').result).toMatchObject({ ended: 'answered' });
});

it('moves to an earlier entry and goes on there; the other branch stays', async () => {
  const session = await talked('moving', 3);
  const entries = await entriesOf(runtime, session.id);
  const firstAnswer = entries.find((entry) => entry.kind === 'message' && entry.message.role === 'assistant');
  await session.moveTo(firstAnswer?.id ?? null);
  model.says({ text: 'on another branch' });
  expect(await session.send('A different question').result).toMatchObject({ ended: 'answered' });
  expect(model.requests[0]?.messages).toHaveLength(3);
  expect((await session.why()).verified).toBe(true);
  const old = entries.at(-1);
  const [kept] = await runtime.store.log.get(session.id, [old?.id ?? ('' as EntryId)]);
  expect(kept).toEqual(old);
  await session.moveTo(old?.id ?? null);
  expect((await session.status()).leaf).toBe(old?.id);
  expect((await session.why(3)).verified).toBe(true);
  await expect(session.moveTo('nowhere' as EntryId)).rejects.toMatchObject({ code: 'LOG_ENTRY_UNKNOWN' });
  await session.moveTo(null);
  expect((await session.status()).leaf).toBeNull();
  expect(await session.send('From the root').result).toMatchObject({ ended: 'answered' });
});

it('rebuilds every step of the path byte for byte and names steps it has not', async () => {
  const session = await talked('why-all', 14);
  const sent = [...model.requests];
  const wire = await runtime.open({
    id: 'wire' as SessionId,
    name: null,
    tools: [],
    chosen: { model, limits: { window: { tokens: 1, origin: 'config' }, maxOutputTokens: null, inputCap: null } },
  });
  await wire.session.close();
  expect(sent).toHaveLength(14);
  for (const [index, request] of sent.entries()) {
    const why = await session.why(index + 1);
    expect(why).toMatchObject({ verified: true, index: index + 1 });
    expect((JSON.parse(why.body) as { messages: unknown[] }).messages).toHaveLength(request.messages.length + 1);
    expect(await runtime.why(session.id, why.step)).toEqual(why);
  }
  for (const unknown of [0, -1, 15, 'nothing' as EntryId])
    await expect(session.why(unknown)).rejects.toMatchObject({ code: 'WHY_NO_STEP' });
  await expect(runtime.why('no-such-session')).rejects.toMatchObject({ code: 'LOG_SESSION_UNKNOWN' });
});

it('tells its status', async () => {
  const session = await talked('status', 1);
  expect(await session.status()).toMatchObject({
    session: 'status',
    entries: 4,
    model: 'openai-chat:test/function',
    compaction: null,
    engine: { asked: 'compressor', name: 'compressor', resolvedFrom: 'built-in', substituted: false, failures: [] },
    budget: { window: { tokens: WINDOW_TOKENS, origin: 'config' }, effective: 12_000 },
  });
});

it('refuses everything once it is closed, and closes twice', async () => {
  const session = await talked('closing', 1);
  await Promise.all([session.close(), session.close()]);
  await session.close();
  await expect(session.send('Hi').result).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.compact()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.undo()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.moveTo(null)).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.status()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.why()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  await expect(session.loop.submit('Hi')).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
});

it('waits for the running turn when it closes', async () => {
  const session = await runtime.openSession();
  model.says({ text: 'whole' });
  const turn = session.send('Go');
  await session.close();
  expect(await turn.result).toMatchObject({ ended: 'answered', text: 'whole' });
});

it('shows the same after it is opened again elsewhere, and goes on without a break', async () => {
  const session = await talked('again', 12);
  const last = model.requests.at(-1);
  const status = await session.status();
  await session.close();
  const other = await elsewhere();
  const again = await other.openSession({ id: 'again' });
  // What an engine says of itself is of the object at work, all else of the session.
  const engine = { ...status.engine, status: expect.objectContaining({ summary: expect.any(String) as string }) as unknown };
  expect(await again.status()).toEqual({ ...status, engine });
  model.says({ text: 'still here' });
  await again.send('One more').result;
  const next = model.requests[0];
  expect(next?.messages.slice(0, last?.messages.length)).toEqual(last?.messages);
  expect(await again.why()).toMatchObject({ verified: true, breakReason: null });
  await other.close();
});

it('gives a call that a crash left open its result, and never runs it', async () => {
  const session = await talked('crashed', 1);
  await session.close();
  const record = await runtime.store.log.session('crashed' as SessionId);
  const content = ['lost-1', 'lost-2'].map((toolCallId) => ({ type: 'tool-call' as const, toolCallId, toolName: 'pay', input: {} }));
  await runtime.store.log.append({
    session: 'crashed' as SessionId,
    leaf: record?.leaf ?? null,
    fence: null,
    entries: [
      {
        id: 'open-call' as EntryId,
        time: '2026-01-01T00:00:00.000Z',
        turn: null,
        tokens: 20,
        kind: 'message',
        origin: 'model',
        message: { role: 'assistant', content },
      },
    ],
  });
  let ran = 0;
  const other = await elsewhere([tool('pay', () => Promise.resolve((ran += 1)))]);
  const again = await other.openSession({ id: 'crashed' });
  const repaired: number[] = [];
  again.on('session.repaired', ({ calls }) => {
    repaired.push(calls);
  });
  model.says({ text: 'I do not know whether it was paid.' });
  await again.send('Was it paid?').result;
  expect(ran).toBe(0);
  expect(repaired).toEqual([2]);
  const [, , , one, two, user] = model.requests[0]?.messages ?? [];
  expect([one?.role, two?.role, user?.role]).toEqual(['tool', 'tool', 'user']);
  expect(JSON.stringify(one)).toContain('interrupted, outcome unknown');
  expect((await again.why()).verified).toBe(true);
  await other.close();
});

it('logs a prompt entry when the host offers other tools, and breaks the prefix for that reason', async () => {
  const session = await talked('tools-change', 2);
  await session.close();
  const other = await elsewhere([tool('new', () => Promise.resolve('x'))]);
  const again = await other.openSession({ id: 'tools-change' });
  model.says({ text: 'I see a new tool.' });
  await again.send('What now?').result;
  await again.send('And now?').result;
  expect(kindsOf(await entriesOf(other, 'tools-change')).filter((kind) => kind === 'prompt')).toHaveLength(2);
  expect(await again.why(3)).toMatchObject({ breakReason: 'prompt', verified: true });
  expect(await again.why(4)).toMatchObject({ breakReason: null, verified: true });
  expect(await again.why(1)).toMatchObject({ verified: true });
  await other.close();
});

it('shares nothing between two runtimes of one process', async () => {
  const [left, right] = [
    await bench.runtime({ model, store: 'left.db' }),
    await bench.runtime({ model, store: 'right.db', tools: [tool('only-right', () => Promise.resolve('r'))] }),
  ];
  model.says({ text: 'ok' });
  const [one, two] = await Promise.all([left.openSession({ id: 'same' }), right.openSession({ id: 'same' })]);
  const seen: string[] = [];
  one.on('turn.started', () => {
    seen.push('left');
  });
  two.on('turn.started', () => {
    seen.push('right');
  });
  await two.send('Only on the right').result;
  expect(seen).toEqual(['right']);
  expect((await one.status()).entries).toBe(0);
  await expect(one.loop.callTool('only-right', {})).rejects.toMatchObject({ code: 'TOOL_UNKNOWN' });
  await left.close();
  expect(await two.send('Still open').result).toMatchObject({ ended: 'answered' });
});

it('tells the second of two writers that the session is busy, and lets it in afterwards', async () => {
  const session = await talked('busy', 1);
  const other = await elsewhere();
  const rival = await other.openSession({ id: 'busy' });
  let told: unknown = null;
  model.does(async (_request, call) => {
    if (call === 0) told = await rival.send('Me too').result.catch((error: unknown) => error);
    return { text: 'done' };
  });
  await session.send('First').result;
  expect(told).toMatchObject({ code: 'SESSION_BUSY', retryable: true });
  expect(await rival.send('Now me').result).toMatchObject({ ended: 'answered' });
  expect(await session.send('And me again').result).toMatchObject({ ended: 'answered' });
  const entries = await entriesOf(runtime, 'busy');
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  expect(JSON.stringify(entries)).not.toContain('Me too');
  await other.close();
});

it.each([
  ['', 'empty'],
  ['a\u0000b', 'control'],
  ['x'.repeat(201), 'long'],
])('refuses a session id that cannot name one (%#)', async (id) => {
  await expect(runtime.openSession({ id })).rejects.toMatchObject({ code: 'USAGE_INVALID', kind: 'config' });
});
