import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { useFolders } from './folders.test-support.ts';

const { path, write, load, failure } = useFolders();

describe('layers', () => {
  it('needs no file at all, and an empty one is valid', async () => {
    const bare = await load();
    await write('project/palimpsest.yaml', '');
    await write('user/palimpsest.yaml', '# nothing yet\n');
    const empty = await load();
    expect({ ...empty, files: [], context: null, origins: null, faultAt: null, explain: null }).toEqual({
      ...bare,
      files: [],
      context: null,
      origins: null,
      faultAt: null,
      explain: null,
    });
    expect(empty.files).toEqual([path('user/palimpsest.yaml'), path('project/palimpsest.yaml')]);
  });

  it('has the defaults of the design', async () => {
    const config = await load();
    expect(config.context).toMatchObject({ engine: 'compressor', onEngineFailure: 'fallback' });
    expect(config.budget).toEqual({ threshold: 0.5, modelThresholds: {}, smallContextFloor: true, thresholdTokens: null, marks: {} });
    expect(config.maintenance).toEqual({ enabled: true, autoContinue: true, keepRecentTokens: null, hygieneEnabled: true });
    expect(config.agent).toEqual({ model: null, maxSteps: 50 });
    expect(config.prompt).toEqual({ system: '' });
    expect(config.store).toEqual({ path: null, durability: 'full' });
    expect([config.models, config.plugins]).toEqual([{}, []]);
  });

  it('lets project beat user, a named file beat both, a document beat all, key by key', async () => {
    await write('user/palimpsest.yaml', 'compression: {threshold: 0.1, threshold_tokens: 100, enabled: false}\nplugins: [a, b]\n');
    await write('project/palimpsest.yaml', 'compression: {threshold: 0.2, threshold_tokens: 200}\nplugins: [c]\n');
    await write('project/other.yaml', 'compression: {threshold: 0.3, small_context_floor: false}\n');
    const config = await load({ file: 'other.yaml', document: { compression: { threshold: 0.4 } } });
    expect(config.budget).toMatchObject({ threshold: 0.4, thresholdTokens: 200, smallContextFloor: false });
    expect(config.maintenance.enabled).toBe(false);
    expect(config.plugins).toEqual(['c']);
    expect(config.origins('compression.threshold')).toMatchObject({ value: 0.4, origin: 'explicit', file: null, line: null });
    expect(config.origins('compression.small_context_floor')).toMatchObject({
      origin: 'explicit',
      file: path('project/other.yaml'),
      line: 1,
    });
    expect(config.origins('compression.threshold_tokens')).toMatchObject({ origin: 'project', line: 1 });
    expect(config.origins('compression.enabled')).toMatchObject({ value: false, origin: 'user', file: path('user/palimpsest.yaml') });
    expect(config.origins('agent.max_steps')).toMatchObject({ value: 50, origin: 'default', file: null, line: null, owner: 'kernel' });
  });

  it('does not let an empty section wipe the one below', async () => {
    await write('user/palimpsest.yaml', 'agent: {max_steps: 7}\nmodels: {m: {provider: p, model: x}}');
    await write('project/palimpsest.yaml', 'agent:\nmodels:\n  m:\n');
    const config = await load();
    expect(config.agent.maxSteps).toBe(7);
    expect(config.models['m']?.model).toBe('x');
  });

  it('completes a model over several layers', async () => {
    await write('user/palimpsest.yaml', 'models: {m: {provider: openai, api_key: k}}');
    await write('project/palimpsest.yaml', 'models: {m: {model: big, window_tokens: 1000}}');
    expect((await load()).models['m']).toMatchObject({
      provider: 'openai',
      model: 'big',
      apiKey: 'k',
      baseUrl: null,
      windowTokens: 1000,
      maxOutputTokens: null,
      script: null,
    });
  });

  it('resolves relative paths from the file that wrote them', async () => {
    await write('user/palimpsest.yaml', 'store: {path: data/log.db}\nmodels: {m: {provider: scripted, script: s.json}}');
    await write('project/palimpsest.yaml', 'models: {n: {provider: scripted, script: s.json}, i: {provider: scripted, script: [hello]}}');
    const config = await load();
    expect(config.store.path).toBe(path('user/data/log.db'));
    expect(config.models['m']?.script).toEqual({ file: path('user/s.json') });
    expect(config.models['n']?.script).toEqual({ file: path('project/s.json') });
    expect(config.models['i']?.script).toEqual({ answers: ['hello'] });
  });

  it('is frozen all the way down', async () => {
    await write('project/palimpsest.yaml', 'models: {m: {provider: p, model: x}}\ncontext: {engines: {e: {list: [1]}}}');
    const config = await load();
    const options = config.context.engineOptions('e').raw as unknown as { readonly list: readonly number[] };
    for (const part of [
      config,
      config.context,
      config.models,
      config.models['m'],
      config.budget.marks,
      config.files,
      config.plugins,
      options,
      options.list,
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });
});

describe('off means off', () => {
  it.each([
    ['compression: {enabled: false}', false, false],
    ['compaction: {strategy: off}', false, false],
    ['hygiene: {enabled: false}', true, false],
    ['compression: {enabled: true}', true, true],
  ])('%s', async (text, enabled, hygieneEnabled) => {
    await write('project/palimpsest.yaml', text);
    expect((await load()).maintenance).toMatchObject({ enabled, hygieneEnabled });
  });
});

describe('files that cannot be read', () => {
  it.each(['missing.yaml', '.'])('a named one: %s', async (file) => {
    await mkdir(path('project'), { recursive: true });
    expect(await failure({ file })).toMatchObject({ code: 'CONFIG_UNREADABLE', kind: 'config' });
  });

  it('a layer that is a folder', async () => {
    await mkdir(path('user/palimpsest.yaml'), { recursive: true });
    expect((await failure()).code).toBe('CONFIG_UNREADABLE');
  });

  it('one that is too large', async () => {
    await write('project/palimpsest.yaml', '#'.repeat(1_048_577));
    expect((await failure()).code).toBe('CONFIG_UNREADABLE');
  });
});

describe('a document of the host', () => {
  it('has paths and no places', async () => {
    const error = await failure({ document: { agent: { maxStep: 3 } } });
    expect(error.details).toMatchObject({ path: 'agent.maxStep', near: 'max_steps' });
    expect(error.details).not.toHaveProperty('file');
  });

  it('takes plain data alone', async () => {
    const endless: Record<string, unknown> = {};
    endless['a'] = endless;
    for (const bad of [(): null => null, 1n, Number.NaN, new Date(0), endless]) {
      expect((await failure({ document: { context: { engines: { e: { bad } } } } })).code).toBe('CONFIG_INVALID');
    }
    expect((await failure({ document: [] })).details['problem']).toBe('the document has to be a mapping of sections');
    expect((await load({ document: { agent: undefined } })).agent.maxSteps).toBe(50);
  });
});
