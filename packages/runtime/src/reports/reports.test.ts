import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Bench, prose } from '../../test/bench.ts';
import { FunctionModel } from '../../test/function-model.ts';
import { contextOf, modelsReport, replayTranscript, type HostRuntime } from '../index.ts';

const sample = fileURLToPath(new URL('../../../../apps/cli/sample/session.jsonl.gz', import.meta.url));
let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
}, 60_000);
afterAll(async () => {
  await bench.close();
});
const whole = ({ window, tokens, freeTokens, reserveTokens, unusableTokens }: Awaited<ReturnType<typeof contextOf>>): boolean =>
  tokens + freeTokens + reserveTokens + unusableTokens === window.tokens;

it('says what the next request would hold, by category, and it adds up to the window', async () => {
  const model = new FunctionModel();
  const tools = [{ name: 'read', description: 'Reads', inputSchema: { type: 'object' }, run: () => Promise.resolve(prose(400, 'r')) }];
  const runtime = await bench.runtime({ model, windowTokens: 20_000, tools });
  const session = await runtime.openSession({ id: 'one' });
  model.says({ text: 'look', calls: [{ name: 'read' }] }, { text: prose(150, 'a') });
  await session.send(prose(300, 'q')).result;
  await session.close();
  const report = await contextOf(runtime, { session: 'one' });
  const part = (what: string): number => report.parts.find((one) => one.what === what)?.tokens ?? -1;
  expect(whole(report)).toBe(true);
  expect(report.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.tokens);
  expect(part('tool')).toBeGreaterThan(part('assistant'));
  expect(part('user')).toBeGreaterThan(part('system'));
  expect([part('tools') > 0, part('summary'), part('note')]).toEqual([true, 0, 0]);
  const last = await runtime.why('one');
  expect(report.tokens).toBeGreaterThan(last.judgement.tokens);
  expect((await runtime.store.log.session(session.id))?.entries).toBe((await runtime.why('one')).index * 2 + 3);
  await expect(contextOf(runtime, { session: 'nobody' })).rejects.toMatchObject({ code: 'LOG_SESSION_UNKNOWN' });
  expect(await runtime.store.log.session('nobody' as never)).toBeNull();
});

it('takes window, engine, system text and tools of a replay from its log', async () => {
  const runtime: HostRuntime = await bench.runtime();
  const [replayed] = await replayTranscript(runtime, { file: sample, window: 32_000 });
  const before = (await runtime.store.log.session((replayed?.session ?? '') as never))?.entries;
  const report = await contextOf(runtime, { session: replayed?.session ?? '' });
  expect(report).toMatchObject({
    window: { tokens: 32_000 },
    effectiveTokens: replayed?.effectiveTokens,
    engine: expect.stringContaining('compressor') as string,
  });
  expect(whole(report)).toBe(true);
  expect(report.parts.find(({ what }) => what === 'summary')?.tokens).toBeGreaterThan(100);
  expect(report.parts.find(({ what }) => what === 'tools')?.tokens).toBeGreaterThan(100);
  expect(await contextOf(runtime, { session: replayed?.session ?? '', window: 64_000 })).toMatchObject({
    window: { tokens: 64_000, origin: 'config' },
  });
  expect((await runtime.store.log.session((replayed?.session ?? '') as never))?.entries).toBe(before);
});

it('counts the tools of an engine once, although the log has them too', async () => {
  const runtime: HostRuntime = await bench.runtime();
  const [replayed] = await replayTranscript(runtime, { file: sample, window: 32_000, engine: 'lcm' });
  const [session, { body }] = [replayed?.session ?? '', await runtime.why(replayed?.session ?? '')];
  const toolsIn = (report: Awaited<ReturnType<typeof contextOf>>): number =>
    report.parts.find(({ what }) => what === 'tools')?.tokens ?? -1;
  expect(body).toContain('lcm_expand');
  const report = await contextOf(runtime, { session });
  expect(report.engine).toContain('lcm');
  const withoutEngine = await contextOf(runtime, { session, engine: 'compressor' });
  expect(toolsIn(report)).toBe(toolsIn(withoutEngine));
});

it('reports each model with its marks and why', async () => {
  const { config } = await bench.runtime({
    config: {
      compression: { threshold: 0.6 },
      agent: { model: 'big' },
      models: {
        big: { provider: 'anthropic', model: 'm', window_tokens: 1_000_000, max_output_tokens: 10_000 },
        plain: { provider: 'openai-compatible', model: 'x/y', base_url: 'http://localhost:1' },
      },
    },
  });
  const [big, plain] = modelsReport(config);
  expect(big).toMatchObject({
    name: 'big',
    isChosen: true,
    route: 'anthropic:anthropic/m',
    window: { tokens: 1_000_000, origin: 'config' },
    reserve: { tokens: 10_000 },
    effectiveTokens: 990_000,
    marks: { start: 594_000 },
  });
  expect(plain).toMatchObject({
    isChosen: false,
    route: 'openai-chat:openai-compatible/x/y',
    window: { tokens: 128_000, origin: 'unknown' },
    reserve: { tokens: 20_000, origin: 'client-default' },
  });
  expect(plain?.why.map(({ what }) => what)).toEqual(expect.arrayContaining(['window', 'reserve', 'threshold']));
  const [asked] = modelsReport(config, { window: 600_000, reserve: 0, threshold: 0.9 });
  expect(asked).toMatchObject({ window: { tokens: 600_000 }, marks: { start: 540_000 } });
  expect(JSON.stringify(modelsReport((await bench.runtime()).config))).toContain('"name":null');
});
