import { describe, expect, it } from 'vitest';
import { errors, type EngineDefinition, type Json, type PalimpsestError } from '@palimpsest/contracts';
import { lines, useFolders } from './folders.test-support.ts';

const { path, write, load, failure } = useFolders();

/** An engine whose check refuses every key but `depth`, and a depth below `1`. */
function engine(name: string): EngineDefinition {
  const parseOptions = (raw: Json): unknown => {
    const faults = Object.entries(raw as { [key: string]: Json }).flatMap(([key, value]) => {
      if (key !== 'depth') return [{ path: key, problem: 'unexpected', near: null }];
      return typeof value === 'number' && value >= 1 ? [] : [{ path: key, problem: 'too shallow', near: null }];
    });
    const [first, ...others] = faults;
    if (first !== undefined) throw errors.configInvalid(null, first.path, first.problem, null, others);
    return { depth: 1, ...(raw as object) };
  };
  const options = { type: 'object', properties: { depth: { type: 'number', default: 1 } }, additionalProperties: false };
  const manifest = {
    name,
    version: '1.0.0',
    contract: '^1.0',
    description: '',
    main: 'x',
    provides: [],
    owns: [],
    needs: [],
    permissions: [],
    options,
  };
  return { manifest, factory: () => ({ plan: () => ({ segments: [], estimateTokens: 0 }) }), parseOptions };
}

describe('options of an engine', () => {
  it('stand under its name; those of the built-in also under compression, whichever spelling a layer uses', async () => {
    await write('user/palimpsest.yaml', 'compression: {depth: 2, other: x, threshold: 0.3}');
    await write('project/palimpsest.yaml', 'context:\n  engines:\n    lcm: {a: 1}\n    compressor:\n      depth: 3');
    const config = await load();
    const options = config.context.engineOptions('compressor');
    expect(options.raw).toEqual({ depth: 3, other: 'x' });
    expect(options.at('depth')).toEqual({ file: path('project/palimpsest.yaml'), line: 5, column: 14 });
    expect(options.at('nothing')).toBeNull();
    expect(config.context.engineOptions('lcm').raw).toEqual({ a: 1 });
    expect(config.context.engineOptions('unheard-of').raw).toEqual({});
    expect(config.origins('context.engines.compressor.depth')).toEqual(config.origins('compression.depth'));
  });

  it('are refused when one layer writes one key in both places', async () => {
    await write('project/palimpsest.yaml', 'compression: {depth: 2}\ncontext: {engines: {compressor: {depth: 3}}}');
    expect(lines(await failure())).toEqual([
      '2:34 context.engines.compressor.depth | this is set at compression.depth too; write it in one place',
    ]);
  });

  it('are checked by the engine, its findings put where they are written', async () => {
    await write('user/palimpsest.yaml', '\ncompression: {dpth: 2, treshold: 0.4}');
    await write('project/palimpsest.yaml', 'context: {engines: {compressor: {depth: 0}, lcm: {dept: 1}}}');
    const config = await load();
    const thrown = (name: string): unknown => {
      try {
        return config.context.engineOptions(name).parse(engine(name));
      } catch (error) {
        return error;
      }
    };
    expect(lines(thrown('compressor') as PalimpsestError)).toEqual([
      '2:15 compression.dpth | no such key; known here: depth, enabled, threshold, model_thresholds, small_context_floor, threshold_tokens | depth',
      '2:24 compression.treshold | no such key; known here: depth, enabled, threshold, model_thresholds, small_context_floor, threshold_tokens | threshold',
      '1:41 context.engines.compressor.depth | too shallow',
    ]);
    expect(lines(thrown('lcm') as PalimpsestError)).toEqual(['1:51 context.engines.lcm.dept | no such key; known here: depth | depth']);
    expect(thrown('other')).toEqual({ depth: 1 });
  });

  it('are checked while loading for engines that are known already, together with all else', async () => {
    await write('project/palimpsest.yaml', 'compression: {dpth: 2}\nagent: {max_stepz: 1}\nmodels: {m: {provider: opnai, model: x}}');
    const error = await failure({ known: { engines: [engine('compressor')], providers: ['openai', 'anthropic'] } });
    expect(lines(error).map((line) => line.replace(/;.*\|/u, ' |'))).toEqual([
      '1:15 compression.dpth | no such key | depth',
      '2:9 agent.max_stepz | no such key | max_steps',
      '3:24 models.m.provider | no such provider | openai',
    ]);
  });

  it('name the engine whose check breaks', async () => {
    const broken = {
      ...engine('lcm'),
      parseOptions: (): never => {
        throw new TypeError('boom');
      },
    };
    const config = await load();
    expect(() => config.context.engineOptions('lcm').parse(broken)).toThrow(/Engine lcm, parseOptions: boom/u);
  });
});

describe('explain', () => {
  it('lists every effective value and its origin, and no secret', async () => {
    await write(
      'project/palimpsest.yaml',
      [
        'models:',
        '  m: {provider: openai, model: "${env:NAME}", api_key: sk-1}',
        'context:',
        '  engines: {e: {access_token: sk-2, url: "x${env:TOKEN}", list: ["${env:TOKEN}"]}}',
        'compression: {depth: 4}',
        '',
      ].join('\n'),
    );
    const config = await load({ env: { NAME: 'big', TOKEN: 'sk-3' }, known: { engines: [engine('compressor')] } });
    const rows = config.explain();
    expect(
      JSON.stringify([rows, rows.map((row) => config.origins(row.path)), config.origins('models'), config.origins('context.engines.e')]),
    ).not.toMatch(/sk-\d/u);
    expect(rows).toContainEqual({
      path: 'models.m.api_key',
      value: '***',
      origin: 'project',
      file: path('project/palimpsest.yaml'),
      line: 2,
      owner: 'models',
    });
    expect(rows).toContainEqual({
      path: 'models.m.model',
      value: '${env:NAME}',
      origin: 'project',
      file: path('project/palimpsest.yaml'),
      line: 2,
      owner: 'models',
    });
    expect(rows).toContainEqual({
      path: 'compression.depth',
      value: 4,
      origin: 'project',
      file: path('project/palimpsest.yaml'),
      line: 5,
      owner: 'the engine',
    });
    expect(rows).toContainEqual({ path: 'compression.threshold', value: 0.5, origin: 'default', file: null, line: null, owner: 'budget' });
    for (const row of rows) expect(config.origins(row.path)).toEqual(row);
    expect(config.models['m']).toMatchObject({ model: 'big', apiKey: 'sk-1' });
    expect(config.origins('agent.nothing')).toBeNull();
    expect(config.origins('[[')).toBeNull();
  });

  it('shows no query of an address, which may be a token', async () => {
    await write(
      'project/palimpsest.yaml',
      'models:\n  m: {provider: p, model: "is it? yes", base_url: "https://h/v1?key=sk-1&b=${env:B}"}\n  n: {provider: p, model: x, base_url: "http://h/v1?key=sk-1"}',
    );
    const config = await load({ env: { B: 'sk-2' } });
    const shown = (name: string): unknown => config.explain(name).map(({ value }) => value);
    expect([shown('models.m.base_url'), shown('models.n.base_url'), shown('models.m.model')]).toEqual([
      ['https://h/v1?***'],
      ['http://h/v1?***'],
      ['is it? yes'],
    ]);
    expect(config.models['n']?.baseUrl).toBe('http://h/v1?key=sk-1');
  });

  it('gives what is at and below a path, and names the nearest where there is none', async () => {
    await write('project/palimpsest.yaml', 'models: {"a b": {provider: p, model: x}, ab: {provider: p, model: y}}');
    const config = await load();
    const below = (name: string): readonly string[] => config.explain(name).map((row) => row.path);
    expect(below('agent')).toEqual(['agent.model', 'agent.max_steps']);
    expect(below('models["a b"]')).toEqual(['models["a b"].provider', 'models["a b"].model']);
    expect(below('models.a')).toEqual([]);
    expect(below('budget.marks.low')).toEqual([]);
    for (const [asked, hint] of [
      ['agent.max_stps', 'agent.max_steps'],
      ['threshold', 'compression.threshold'],
      ['agnet', 'agent'],
    ] as const) {
      expect(() => config.explain(asked)).toThrow(expect.objectContaining({ code: 'USAGE_INVALID', hint: `Did you mean "${hint}"?` }));
    }
    for (const asked of ['zzz', '[[', 'agent.model.x'])
      expect(() => config.explain(asked)).toThrow(expect.objectContaining({ code: 'USAGE_INVALID' }));
  });

  it("shows the built-in engine's defaults where it is known", async () => {
    expect((await load({ known: { engines: [engine('compressor')] } })).origins('compression.depth')).toMatchObject({
      value: 1,
      origin: 'default',
    });
    expect((await load()).origins('compression.depth')).toBeNull();
  });
});

it.each([
  ['"${env:KEY}"', '${env:KEY}', 'a reference and nothing else names the variable, set or not'],
  ['"sk-9${env:KEY}"', '***', 'text beside it may be the secret'],
  ['sk-9', '***', 'a secret that is written down'],
])('explains the secret %s as %s: %s', async (written, shown) => {
  await write('project/palimpsest.yaml', `models: { m: { provider: openai, model: x, api_key: ${written} } }\n`);
  for (const env of [{ KEY: 'sk-1' }, {}]) {
    const rows = (await load({ env, known: { engines: [engine('compressor')] } })).explain();
    expect(rows.find(({ path: at }) => at === 'models.m.api_key')?.value).toBe(shown);
  }
});
