import type { Session, SessionId } from '@palimpsest/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, entriesOf, prose } from '../test/bench.ts';
import { FunctionModel } from '../test/function-model.ts';
import { tool } from '../test/tools.ts';
import { Witness } from '../test/witness.ts';

let bench: Bench;
const model = new FunctionModel();
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

const sized = tool('sized', (input) => {
  const { tokens, seed } = input as { tokens: number; seed: string };
  return Promise.resolve(prose(tokens, seed));
});

it.each([4_000, 8_000, 16_000])('never goes over on a window of %d tokens with results far larger than it', async (windowTokens) => {
  const runtime = await bench.runtime({ model, windowTokens, tools: [sized] });
  const session = await runtime.openSession();
  const witness = new Witness(runtime, session.id);
  const results = [30, windowTokens / 4, windowTokens, windowTokens * 3, 200, windowTokens / 2];
  for (let turn = 0; turn < 6; turn += 1) {
    const tokens = results[turn] ?? 10;
    const calls = (seed: string): { name: string; input: { tokens: number; seed: string } }[] =>
      Array.from({ length: 1 + (turn % 3) }, (_, index) => ({
        name: 'sized',
        input: { tokens: Math.round(tokens / (index + 1)), seed: `${seed}${String(turn)}${String(index)}` },
      }));
    model.says({ calls: calls('a') }, { text: 'Next.', calls: calls('b') }, { text: `Done ${String(turn)}` });
    const marker = `<turn ${String(turn)}>`;
    expect(await session.send(`${marker} ${prose(60, 'u')}`).result).toMatchObject({ ended: 'answered', text: `Done ${String(turn)}` });
    await witness.sent(model.requests, marker);
  }
  await witness.keeps([prose(windowTokens * 3, 'a30')]);
  expect(witness.faults).toEqual([]);
});

it('shows images of a person that cannot fit as words, keeps them in the log, and says so', async () => {
  const runtime = await bench.runtime({ model, windowTokens: 4_000 });
  const session = await runtime.openSession();
  model.says({ text: 'ok' });
  const images = Array.from({ length: 4 }, () => ({ type: 'image' as const, image: 'aGk=', mediaType: 'image/png' }));
  expect(await session.send({ content: [{ type: 'text', text: 'Look' }, ...images] }).result).toMatchObject({ ended: 'answered' });
  expect(model.requests[0]?.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look\n\n[image]\n\n[image]\n\n[image]\n\n[image]' }] },
  ]);
  expect((await session.why()).judgement.tokens).toBeLessThanOrEqual(3_000);
  const entries = await entriesOf(runtime, session.id);
  expect(
    entries.flatMap((entry) => (entry.kind === 'message' && entry.message.role === 'user' ? entry.message.content.slice(1) : [])),
  ).toEqual(images);
  expect(
    entries.flatMap((entry) => (entry.kind === 'reduction' ? entry.items.map(({ reason, target }) => [entry.by, reason, target]) : [])),
  ).toEqual([['host', 'windowed', 'text']]);
  expect(await session.send('Never mind').result).toMatchObject({ ended: 'answered' });
});

it('refuses a system text and tools that leave no room, without calling the model', async () => {
  const runtime = await bench.runtime({ model, windowTokens: 4_000, config: { prompt: { system: prose(4_000, 's') } } });
  const session = await runtime.openSession();
  model.says({ text: 'never' });
  const exhausted: unknown[] = [];
  session.on('context.exhausted', ({ turn, tokens, effective }) => {
    exhausted.push({ turn: typeof turn, fits: tokens <= effective, effective });
  });
  await expect(session.send('Hi').result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED', details: { effective: 3_000 } });
  expect(exhausted).toEqual([{ turn: 'string', fits: false, effective: 3_000 }]);
  expect(model.requests).toHaveLength(0);
});

it('makes a window of a huge input and shows its begin', async () => {
  const runtime = await bench.runtime({ model, windowTokens: 8_000 });
  const session = await runtime.openSession();
  const witness = new Witness(runtime, session.id);
  model.says({ text: 'ok' });
  const huge = `<huge> ${prose(30_000, 'h')}`;
  expect(await session.send(huge).result).toMatchObject({ ended: 'answered' });
  await witness.sent(model.requests, '<huge>');
  await witness.keeps([huge]);
  expect(witness.faults).toEqual([]);
});

it('does nothing by itself when maintenance is off, and still sends nothing that does not fit', async () => {
  const runtime = await bench.runtime({ model, windowTokens: 8_000, config: { compression: { enabled: false } } });
  const session = await runtime.openSession();
  const maintained: string[] = [];
  session.on('maintenance.started', ({ trigger }) => {
    maintained.push(trigger);
  });
  model.does((_request, call) => ({ text: `Answer ${String(call)} ${prose(400, 'a')}` }));
  let ended: unknown = null;
  for (let turn = 0; turn < 20 && ended === null; turn += 1)
    ended = await session.send(`Question ${prose(400, 'q')}`).result.then(
      () => null,
      (error: unknown) => error,
    );
  expect(ended).toMatchObject({ code: 'CONTEXT_EXHAUSTED' });
  expect(maintained).toEqual([]);
  expect(await session.compact()).toContain('compacted');
  expect(maintained).toEqual(['manual']);
  expect(await session.send('Go on').result).toMatchObject({ ended: 'answered' });
});

it('leaves a session as it is while tools alone fill the window: once they are gone, the model knows all of it', async () => {
  const runtime = await bench.runtime({ model, windowTokens: 8_000 });
  const limits = { window: { tokens: 8_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null };
  const opened = async (tools: readonly ReturnType<typeof tool>[]): Promise<Session> =>
    (await runtime.open({ id: 'heavy' as SessionId, name: null, tools, engine: 'compressor', chosen: { model, limits } })).session;
  const light = await opened([]);
  for (let turn = 0; turn < 6; turn += 1) {
    model.says({ text: `Answer ${String(turn)}` });
    await light.send(`Question ${String(turn)} ${prose(60, 'q')}`).result;
  }
  await light.close();
  const heavy = await opened(
    Array.from({ length: 60 }, (_, at) => ({ ...sized, name: `tool_${String(at)}`, description: prose(200, `t${String(at)}`) })),
  );
  for (const text of ['One', 'Two']) await expect(heavy.send(text).result).rejects.toMatchObject({ code: 'CONTEXT_EXHAUSTED' });
  expect((await heavy.why()).judgement.tokens).toBeGreaterThan(8_000);
  await heavy.close();
  expect((await entriesOf(runtime, 'heavy')).filter(({ kind }) => kind === 'compaction' || kind === 'reduction')).toEqual([]);
  const again = await opened([]);
  model.says({ text: 'I remember.' });
  await again.send('What do you know?').result;
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/Question 0.*Answer 5/u);
  await again.close();
});
