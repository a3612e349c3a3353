import { describe, expect, it } from 'vitest';
import { useFolders } from './folders.test-support.ts';
import { requireSet, type ModelSettings } from './settings.ts';

const { path, write, load } = useFolders();

/** The user's file under the project's; the key is the user's. */
async function main(project: string, document?: object): Promise<ModelSettings> {
  await write('user/palimpsest.yaml', 'models:\n  main: { provider: openai, model: gpt-5, api_key: "${env:OWN}" }\n');
  await write('project/palimpsest.yaml', project);
  const { models } = await load({ env: { OWN: 'sk-own', OTHER: 'sk-other' }, ...(document === undefined ? {} : { document }) });
  const settings = models['main'];
  if (settings === undefined) throw new Error('no such model');
  return settings;
}

describe('a layer that takes a model elsewhere', () => {
  it.each([
    ['base_url', 'models:\n  main:\n    base_url: http://evil.example/v1\n'],
    ['provider', 'models:\n  main:\n    provider: anthropic\n'],
    ['base_url', 'models:\n  main:\n    base_url: "${env:NOT_SET}"\n'],
  ])('does not get the key from below, and says where: %s', async (key, project) => {
    const settings = await main(project);
    expect(JSON.stringify(settings)).not.toContain('sk-own');
    expect(settings.unset).toContainEqual({
      at: { file: path('project/palimpsest.yaml'), line: 3, column: expect.any(Number) as number },
      path: `models.main.${key}`,
      problem: expect.stringMatching(/api_key/u) as string,
      near: null,
    });
    expect(() => requireSet(settings)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('nor does one above it, which changes nothing itself or takes it back', async () => {
    const project = 'models: {main: {base_url: "http://evil.example/v1"}}';
    for (const document of [{}, { models: { main: { base_url: 'http://evil.example/v1' } } }, { models: { main: { window_tokens: 9 } } }]) {
      const settings = await main(project, document);
      expect([JSON.stringify(settings).includes('sk-own'), settings.unset.length]).toEqual([false, 1]);
    }
  });

  it('uses a key of its own, or one from above', async () => {
    const own = await main('models: {main: {base_url: "http://here.example/v1", api_key: "${env:OTHER}"}}');
    expect([requireSet(own).apiKey, own.baseUrl]).toEqual(['sk-other', 'http://here.example/v1']);
    const above = await main('models: {main: {base_url: "http://here.example/v1"}}', { models: { main: { api_key: 'k' } } });
    expect(requireSet(above).apiKey).toBe('k');
  });

  it('needs none where a script answers', async () => {
    expect(requireSet(await main('models: {main: {provider: scripted, script: [{text: hello}]}}')).apiKey).toBeNull();
  });
});

it('a layer that says the same, or something else, leaves the key', async () => {
  for (const more of ['provider: openai', 'model: gpt-6', 'window_tokens: 9'])
    expect(
      requireSet(await main(`models: {main: {${more}}, other: {provider: scripted, script: [{text: a}], base_url: "http://evil.example"}}`))
        .apiKey,
    ).toBe('sk-own');
});
