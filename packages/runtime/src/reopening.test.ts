import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTokens } from '@palimpsest/budget';
import type { Answer, Model, ModelRequest, SessionId } from '@palimpsest/contracts';
import { openWire } from '@palimpsest/models';
import { Bench, entriesOf, kindsOf, prose } from '../test/bench.ts';
import { definition } from '../test/engines.ts';
import type { HostRuntime } from './index.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterAll(async () => {
  await bench.close();
});

/** Signs a thought of some 3,000 tokens that only its own provider reads. */
class ThinkingModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly route: string;
  readonly #provider: string;

  constructor(route: string, provider: string) {
    this.route = route;
    this.#provider = provider;
  }

  async call(request: ModelRequest): Promise<Answer> {
    this.requests.push(structuredClone(request));
    const thought = { type: 'thinking', thinking: prose(3_000, `t${String(this.requests.length)}`), signature: 'signed' };
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    return Promise.resolve({
      kind: 'reply',
      message: {
        role: 'assistant',
        content: [
          { type: 'opaque', provider: this.#provider, format: 'thinking', bytes: JSON.stringify(thought) },
          { type: 'text', text: 'Short.' },
        ],
      },
      calls: [],
      usage,
      finish: 'stop',
    });
  }
}

const chosen = (model: Model) => ({
  model,
  limits: { window: { tokens: 64_000, origin: 'config' as const }, maxOutputTokens: null, inputCap: null },
});

/** Turns on a session that is opened for them. */
async function turns(runtime: HostRuntime, id: string, model: Model, engine: string, texts: readonly string[]): Promise<void> {
  const { session } = await runtime.open({ id: id as SessionId, name: null, tools: [], chosen: chosen(model), engine });
  for (const text of texts) await session.send(text).result;
  await session.close();
}

it('counts what is sent, on the route that signed it and on another one', async () => {
  const runtime = await bench.runtime();
  const [own, other] = [
    new ThinkingModel('anthropic:anthropic/one', 'anthropic'),
    new ThinkingModel('openai-chat:elsewhere/two', 'elsewhere'),
  ];
  await turns(runtime, 'thinking', own, 'compressor', ['One', 'Two', 'Three']);
  await turns(runtime, 'thinking', other, 'compressor', ['Four']);
  await turns(runtime, 'thinking', own, 'compressor', ['Five', 'Six']);
  const breaks: (string | null)[] = [];
  for (let step = 1; step <= 6; step += 1) {
    const why = await runtime.why('thinking', step);
    expect(why.verified).toBe(true);
    breaks.push(why.breakReason);
    const sent = countTokens(why.body, 'o200k_base', Number.POSITIVE_INFINITY);
    expect(why.judgement.tokens, `step ${String(step)}`).toBeGreaterThanOrEqual(sent - 64);
    expect(why.judgement.tokens, `step ${String(step)}`).toBeLessThan(sent * 1.3 + 200);
  }
  expect(breaks).toEqual([null, null, null, 'model-change', 'model-change', null]);
  const wire = await openWire('anthropic');
  const signed = await Promise.all(own.requests.map(async (request) => (await wire.body(request)).split('"signed"').length - 1));
  expect(signed).toEqual([0, 1, 2, 0, 1]);
});

it('names another engine in the log', async () => {
  const runtime = await bench.runtime();
  for (const name of ['first', 'second']) runtime.registerContextEngine(definition({}, { name }));
  const model = new ThinkingModel('openai-chat:elsewhere/two', 'elsewhere');
  await turns(runtime, 'engines', model, 'first', ['One']);
  await turns(runtime, 'engines', model, 'second', ['Two']);
  expect(kindsOf(await entriesOf(runtime, 'engines'))).toEqual([
    'prompt',
    'user',
    'step',
    'assistant',
    'engine-change',
    'user',
    'step',
    'assistant',
  ]);
  expect((await entriesOf(runtime, 'engines'))[4]).toMatchObject({ from: 'first@2.0.0', to: 'second@2.0.0', reason: 'user' });
  expect((await runtime.why('engines', 2)).breakReason).toBe('engine-change');
});
