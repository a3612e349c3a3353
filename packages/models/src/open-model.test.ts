import { expect, it } from 'vitest';
import { clock } from './loopback.test-support.ts';
import { openModel, routeOf } from './open-model.ts';
import { ScriptedModel } from './scripted-model.ts';
import { SdkModel } from './sdk-model.ts';

const deps = { clock };

it.each([
  ['openai', 'openai-chat:openai/m'],
  ['openai-responses', 'openai-responses:openai/m'],
  ['anthropic', 'anthropic:anthropic/m'],
  ['openai-compatible', 'openai-chat:openai-compatible/m'],
] as const)('%s opens on route %s', async (provider, route) => {
  const model = await openModel(
    { provider, model: 'm', baseUrl: 'http://localhost:1', apiKey: 'k', windowTokens: 1000, maxOutputTokens: 100 },
    deps,
  );
  expect(model).toBeInstanceOf(SdkModel);
  expect([model.route, routeOf({ provider, model: 'm' })]).toEqual([route, route]);
});

it('scripted opens without a network, from a list or with its end', async () => {
  const request = { route: '', system: '', tools: [], messages: [], settings: {} };
  for (const script of [[{ text: 'a' }], { replies: [{ text: 'a' }], at_end: 'loop' as const }]) {
    const model = await openModel({ provider: 'scripted', model: 's', script }, deps);
    expect(model).toBeInstanceOf(ScriptedModel);
    await model.call(request, { signal: new AbortController().signal });
    expect((await model.call(request, { signal: new AbortController().signal })).kind).toBe('replies' in script ? 'reply' : 'failed');
  }
});

it.each([
  [{ provider: 'opnai', model: 'm' }, 'provider'],
  [{ provider: 'openai' }, 'model'],
  [{ provider: 'openai', model: 'm', windowtokens: 5 }, 'windowtokens'],
  [{ provider: 'openai', model: 'm', windowTokens: -5 }, 'windowTokens'],
  [{ provider: 'openai-compatible', model: 'm' }, 'baseUrl'],
  [{ provider: 'scripted', model: 'm' }, 'script'],
  [{ provider: 'scripted', model: 'm', script: [{ txt: 'a' }] }, 'script'],
  ['openai', ''],
])('%j is refused, naming %s', async (settings, path) => {
  await expect(openModel(settings, deps)).rejects.toSatisfy(
    (thrown) => (thrown as { code?: string }).code === 'CONFIG_INVALID' && (thrown as Error).message.includes(path),
  );
});
