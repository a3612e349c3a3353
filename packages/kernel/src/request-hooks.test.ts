import { describe, expect, it } from 'vitest';
import { IMAGE_TOKENS } from '@palimpsest/contracts';
import type { Message, ModelRequest, PalimpsestEvent, TransformRequestHook } from '@palimpsest/contracts';
import { KernelBench, TalkingModel, tool, type Opened } from '../test/bench.ts';

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** A hook that sends these messages, or this request, in place of what it found. */
const hook = (change: (request: ModelRequest) => unknown, name = 'tested', replacedConversation = false): TransformRequestHook => ({
  name,
  breaksCache: false,
  run: (request) => Promise.resolve({ request: change(request) as ModelRequest, replacedConversation }),
});
const messages = (change: (messages: readonly Message[]) => readonly unknown[], name?: string): TransformRequestHook =>
  hook((request) => ({ ...request, messages: change(request.messages) }), name);

/** Two questions, the second one with a tool: at its last request there are six messages. */
async function talked(bench: KernelBench): Promise<Opened & { readonly model: TalkingModel; readonly events: readonly PalimpsestEvent[] }> {
  const model = new TalkingModel((_request, _options, call) => (call === 1 ? { calls: ['look'] } : 'fine'));
  const opened = await bench.open({ model, tools: [tool('look', () => Promise.resolve('seen'))] });
  const events: PalimpsestEvent[] = [];
  opened.kit.events.onAny((event) => {
    events.push(event);
  });
  await opened.session.send('first question').result;
  await opened.session.send('second question').result;
  return { ...opened, model, events };
}

async function plainly(): Promise<readonly ModelRequest[]> {
  return (await talked(new KernelBench())).model.requests;
}

describe('a request that a hook made and that cannot be sent is left out, aloud:', () => {
  it.each<[string, string, TransformRequestHook]>([
    [
      'newest user input dropped',
      'newest-user-entry',
      messages((all) => all.filter((one) => !JSON.stringify(one).includes('second question'))),
    ],
    ['only the tool batch kept', 'first-message', messages((all) => all.slice(-2))],
    ['call without its result', 'pair-cut', messages((all) => all.filter(({ role }) => role !== 'tool'))],
    ['result without its call', 'pair-cut', messages((all) => all.filter((one) => !JSON.stringify(one).includes('"tool-call"')))],
    [
      'something said between call and result',
      'pair-cut',
      messages((all) => all.flatMap((one) => (one.role === 'tool' ? [user('wait'), one] : [one]))),
    ],
    ['a role that does not exist', 'message', messages((all) => [...all, { role: 'system', content: 'obey' }])],
    ['a message without content', 'message', messages((all) => [...all, { role: 'user' }])],
    ['no messages', 'shape', messages(() => [])],
    ['no request', 'shape', hook(() => 7)],
    ['another route', 'route', hook((request) => ({ ...request, route: 'openai-chat:other/model' }))],
    ['settings that are none', 'shape', hook((request) => ({ ...request, settings: { maxOutputTokens: 'all' } }))],
  ])('%s', async (_name, rule, wrong) => {
    const bench = new KernelBench();
    const expected = await plainly();
    bench.hooks.transformRequest.push(
      wrong,
      messages((all) => [...all, user('a reminder')], 'after'),
    );
    const { model, events, session } = await talked(bench);
    expect(model.requests.at(-1)?.messages).toEqual([...(expected.at(-1)?.messages ?? []), user('a reminder')]);
    const refused = events.flatMap((event) => (event.name === 'hook.refused' ? [event] : []));
    expect(refused.at(-1)).toMatchObject({
      hook: 'tested',
      rule,
      why: expect.stringContaining('Hook tested: its request cannot be sent') as string,
    });
    const why = await session.why();
    expect(why.verified).toBe(true);
    expect(why.declined).toEqual([{ what: 'hook tested', why: refused.at(-1)?.why }]);
  });
});

describe('a hook may', () => {
  it.each<[string, TransformRequestHook]>([
    [
      'add to the newest user input',
      messages((all) =>
        all.map((one) =>
          JSON.stringify(one).includes('second') && one.role === 'user'
            ? { ...one, content: [...one.content, { type: 'text', text: 'and be brief' }] }
            : one,
        ),
      ),
    ],
    [
      'edit it where it stands',
      messages((all) => all.map((one) => (JSON.stringify(one).includes('second') ? user('[hidden] question') : one))),
    ],
    ['take old messages out', messages((all) => (all.length < 4 ? all : all.slice(2)))],
    ['write another system text and other tools', hook((request) => ({ ...request, system: 'other', tools: [] }))],
    [
      'write the fields in another order',
      hook(({ settings, messages: all, tools, system, route }) => ({ settings, messages: all, tools, system, route })),
    ],
    ['change call settings alone', hook((request) => ({ ...request, settings: { temperature: 0 } }))],
    ['put another conversation in place', hook((request) => ({ ...request, messages: [user('something else')] }), 'tested', true)],
  ])('%s, and every step is rebuilt', async (_name, good) => {
    const bench = new KernelBench();
    bench.hooks.transformRequest.push(good);
    const { model, events, session } = await talked(bench);
    expect(events.filter(({ name }) => name === 'hook.refused')).toEqual([]);
    for (const [at, sent] of model.requests.entries()) {
      const why = await session.why(at + 1);
      expect(why.verified).toBe(true);
      expect(JSON.parse(why.body)).toEqual(sent);
    }
  });
});

it('keeps of a changed request what differs, not the conversation once more', async () => {
  const bench = new KernelBench();
  bench.hooks.transformRequest.push(messages((all) => [...all, user('a reminder')]));
  const { session } = await bench.open({ model: new TalkingModel(() => 'x'.repeat(1_000)) });
  for (let turn = 0; turn < 12; turn += 1) await session.send('y'.repeat(1_000)).result;
  const patches = await bench.store.artifacts.list({ kind: 'request_patch', limit: 100 });
  expect(patches).toHaveLength(12);
  for (const { bytes, session: owner } of patches) expect([bytes < 120, owner]).toEqual([true, session.id]);
  expect((await session.why(12)).verified).toBe(true);
});

describe('what a hook costs', () => {
  const image: Message = { role: 'user', content: [{ type: 'image', image: 'A'.repeat(400_000), mediaType: 'image/png' }] };

  it('is the flat figure for an image, not its characters', async () => {
    const bench = new KernelBench();
    bench.hooks.transformRequest.push(messages((all) => [...all, image]));
    const { session } = await bench.open();
    await session.send('Go').result;
    const steps = (await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.judgement] : []));
    expect(steps[0]?.parts['hooks']).toBeGreaterThanOrEqual(IMAGE_TOKENS);
    expect(steps[0]?.parts['hooks']).toBeLessThan(IMAGE_TOKENS + 20);
    expect(session.id).toBe('s');
  });

  it('is counted for a replaced conversation as for any other', async () => {
    const bench = new KernelBench();
    bench.hooks.transformRequest.push(hook((request) => ({ ...request, messages: [image, user('z'.repeat(4_000))] }), 'tested', true));
    const { session } = await bench.open();
    await session.send('w'.repeat(40_000)).result;
    const { judgement } = await session.why();
    expect(judgement.tokens).toBeGreaterThan(IMAGE_TOKENS + 1_000);
    expect(judgement.tokens).toBeLessThan(IMAGE_TOKENS + 1_200);
  });

  it('is less than nothing for a hook that takes out more than it adds', async () => {
    const bench = new KernelBench();
    bench.hooks.transformRequest.push(messages((all) => all.slice(-1)));
    const { session } = await bench.open();
    await session.send('w'.repeat(40_000)).result;
    await session.send('Go').result;
    const { judgement } = await session.why();
    expect(judgement.tokens).toBeLessThan(200);
  });

  it('is counted for system text and tools', async () => {
    const bench = new KernelBench();
    bench.hooks.transformRequest.push(hook((request) => ({ ...request, system: 's'.repeat(4_000) })));
    const { session } = await bench.open();
    await session.send('Go').result;
    const [step] = (await bench.entries()).flatMap((entry) => (entry.kind === 'step' ? [entry.judgement] : []));
    expect(step?.parts['hooks']).toBe(999);
  });
});
