import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errors, isPalimpsestError, type EngineDefinition, type Json, type PalimpsestError } from '@palimpsest/contracts';
import { loadConfig, type LoadOptions } from './load.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'palimpsest-config-'));
});
afterEach(() => rm(root, { recursive: true }));

const path = (name: string): string => join(root, name);
async function write(name: string, text: string): Promise<string> {
  await mkdir(dirname(path(name)), { recursive: true });
  await writeFile(path(name), text);
  return path(name);
}
const load = (more: Partial<LoadOptions> = {}): ReturnType<typeof loadConfig> => loadConfig({ projectDir: path('project'), userDir: path('user'), env: {}, ...more });
async function failure(more: Partial<LoadOptions> = {}): Promise<PalimpsestError> {
  const thrown: unknown = await load(more).then(() => null, (reason: unknown) => reason);
  if (!isPalimpsestError(thrown)) throw new Error(`expected a typed error, got ${String(thrown)}`);
  return thrown;
}
/** `line:column path | problem` of every fault. */
const lines = ({ details }: PalimpsestError): readonly string[] => {
  const one = (at: Json | undefined, fault: { readonly [key: string]: Json }): string => {
    const { line, column } = (at ?? {}) as { readonly [key: string]: Json };
    return `${String(line)}:${String(column)} ${String(fault['path'])} | ${String(fault['problem'])}${fault['near'] === null ? '' : ` | ${String(fault['near'])}`}`;
  };
  return [one(details, details), ...(details['others'] as { [key: string]: Json }[]).map((fault) => one(fault['at'], fault))];
};

describe('layers', () => {
  it('needs no file at all, and an empty one is valid', async () => {
    const bare = await load();
    await write('project/palimpsest.yaml', '');
    await write('user/palimpsest.yaml', '# nothing yet\n');
    const empty = await load();
    expect({ ...empty, files: [], context: null, origins: null, explain: null }).toEqual({ ...bare, files: [], context: null, origins: null, explain: null });
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
    expect(config.origins('compression.small_context_floor')).toMatchObject({ origin: 'explicit', file: path('project/other.yaml'), line: 1 });
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
    expect((await load()).models['m']).toEqual({ provider: 'openai', model: 'big', apiKey: 'k', baseUrl: null, windowTokens: 1000, maxOutputTokens: null, script: null });
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
    for (const part of [config, config.context, config.models, config.models['m'], config.budget.marks, config.files, config.plugins, options, options.list]) expect(Object.isFrozen(part)).toBe(true);
  });
});

describe('off means off', () => {
  it.each([
    ['compression: {enabled: false}', false, false], ['compaction: {strategy: off}', false, false],
    ['hygiene: {enabled: false}', true, false], ['compression: {enabled: true}', true, true],
  ])('%s', async (text, enabled, hygieneEnabled) => {
    await write('project/palimpsest.yaml', text);
    expect((await load()).maintenance).toMatchObject({ enabled, hygieneEnabled });
  });
});

describe('faults', () => {
  it('are all found, in reading order, each with its place and the nearest key', async () => {
    const file = await write('project/palimpsest.yaml', `compresion:
  enabled: true
agent:
  maxSteps: 5
  model: 3
compaction:
  strategy: context_full
  auto_continue: yes
budget:
  marks: {start: 10, hard: 10}
models:
  m:
    provider: openai
    windw_tokens: 0.5
store: fast
plugins: ["../evil"]
compression:
  threshold: 50
  threshold_tokens: 0
context:
  engines:
    compressor: {threshold: 0.4}
`);
    const error = await failure();
    expect(lines(error)).toEqual([
      '1:1 compresion | no such key; known here: context, compression, compaction, hygiene, budget, models, agent, prompt, store, plugins | compression',
      '4:3 agent.maxSteps | no such key; known here: model, max_steps | max_steps',
      '5:10 agent.model | expected text, found a number',
      '7:13 compaction.strategy | expected one of context-full, off | context-full',
      '8:18 compaction.auto_continue | expected true or false, found text',
      '10:28 budget.marks.hard | has to be above budget.marks.start (10)',
      '12:3 models.m.model | this provider needs to be told which model',
      '14:5 models.m.windw_tokens | no such key; known here: provider, model, base_url, api_key, window_tokens, max_output_tokens, script | window_tokens',
      '15:8 store | expected a mapping, found text',
      '16:11 plugins[0] | not a package name',
      '18:14 compression.threshold | has to be at most 1',
      '19:21 compression.threshold_tokens | has to be above 0',
      `22:18 context.engines.compressor.threshold | this key is the host's, not the engine's: write it under "compression" | compression.threshold`,
    ]);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', kind: 'config', hint: 'Did you mean "compression"?', details: { file, line: 1, column: 1 } });
    expect(error.message).toContain(`${file}:1:1: compresion: no such key`);
    expect(error.message).toContain('(and 12 more)');
  });

  it('are found in every layer, also in values that a higher layer replaces', async () => {
    await write('user/palimpsest.yaml', 'agent: {max_steps: many}');
    await write('project/palimpsest.yaml', 'agent: {max_steps: 3, modl: x}');
    expect(lines(await failure())).toEqual(['1:20 agent.max_steps | expected a number, found text', '1:23 agent.modl | no such key; known here: model, max_steps | model']);
  });

  it.each([
    ['models: {m: {provider: p}}', '1:10 models.m.model | this provider needs to be told which model'],
    ['models: {m: {model: x}}', '1:10 models.m.provider | is missing'],
    ['models: {m: {provider: scripted}}', '1:10 models.m.script | provider "scripted" needs a script'],
    ['models: {m: {provider: p, model: x, script: s}}', '1:45 models.m.script | only provider "scripted" reads a script'],
    ['models: {m: {provider: p, model: x, base_url: "ftp://x"}}', '1:47 models.m.base_url | not an http or https address'],
    ['models: {m: {provider: p, model: x, base_url: "https://u:p@x.example"}}', '1:47 models.m.base_url | credentials do not belong in an address; use api_key'],
    ['models: {m: {provider: p, model: x, window_tokens: 9, max_output_tokens: 9}}', '1:74 models.m.max_output_tokens | has to be below window_tokens (9)'],
    ['models: {m: {provider: scripted, script: {a: 1}}}', '1:42 models.m.script | a mapping cannot stand here'],
    ['context: {engine: ""}', '1:19 context.engine | an engine name is lower-case letters, digits and dashes, a letter first'],
    ['context: {engines: {"A b": {}}}', '1:21 context.engines["A b"] | an engine name is lower-case letters, digits and dashes, a letter first'],
    ['context: {engines: {lcm: 3}}', '1:26 context.engines.lcm | expected a mapping, found a number'],
    ['agent: {max_steps: 1.5}', '1:20 agent.max_steps | expected a whole number, found a number'],
    ['agent: {max_steps:}', '1:19 agent.max_steps | expected a number, found nothing'],
    ['compression: {model_thresholds: {gpt-4.1: true}}', '1:43 compression.model_thresholds["gpt-4.1"] | expected a number, found a boolean'],
    ['prompt: {system: [a]}', '1:18 prompt.system | expected text, found a list'],
  ])('%s', async (text, expected) => {
    await write('project/palimpsest.yaml', text);
    expect(lines(await failure())).toEqual([expected]);
  });

  it('never repeats a value, which may be a secret', async () => {
    await write('project/palimpsest.yaml', 'agent: {max_steps: hunter2}\nstore: {durability: hunter2}\nmodels: {m: {provider: p, model: x, base_url: "hunter2://a"}}');
    expect(JSON.stringify(await failure())).not.toContain('hunter2');
  });

  it('are typed whatever the text is', async () => {
    const word = fc.constantFrom('context', 'engine', 'engines', 'compressor', 'compression', 'threshold', 'models', 'm', 'provider', 'scripted', 'script', 'budget', 'marks', 'low', '<<', '*a', '&a', '${env:X}', '1', 'x', 'null');
    const text = fc.array(fc.tuple(fc.constantFrom('', '  ', '    ', '- '), word, fc.constantFrom(': ', ':', ''), fc.oneof(word, fc.constant(''), fc.constant('{}'), fc.constant('[]'))), { maxLength: 12 })
      .map((rows) => rows.map((row) => row.join('')).join('\n'));
    let valid = 0;
    await fc.assert(fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: text }, fc.string({ unit: 'binary' })), async (yaml) => {
      await write('project/palimpsest.yaml', yaml);
      const thrown: unknown = await load().then(() => null, (reason: unknown) => reason);
      if (thrown === null) valid += 1;
      else expect(isPalimpsestError(thrown, 'CONFIG_INVALID')).toBe(true);
    }), { seed: 21, numRuns: 250 });
    expect(valid).toBeGreaterThan(8);
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

describe('the environment', () => {
  it('is filled in anywhere in a text, once, and can be escaped', async () => {
    await write('project/palimpsest.yaml', 'prompt: {system: "a ${env:A} ${env:B}, $${env:A}"}\ncontext: {engines: {e: {list: ["${env:A}"]}}}');
    const config = await load({ env: { A: '${env:B}', B: '' } });
    expect(config.prompt.system).toBe('a ${env:B} , ${env:A}');
    expect(config.context.engineOptions('e').raw).toEqual({ list: ['${env:B}'] });
  });

  it.each([
    ['"${env:MY_KEZ}"', 'the environment variable MY_KEZ is not set | MY_KEY'], ['"${env:toString}"', 'the environment variable toString is not set'],
    ['"${env:}"', '"${env:}" is no reference to an environment variable; write ${env:NAME}'], ['"${env:A"', '"${env:A" is no reference to an environment variable; write ${env:NAME}'],
  ])('refuses %s', async (value, problem) => {
    await write('project/palimpsest.yaml', `models:\n  m: {provider: p, model: x, api_key: ${value}}`);
    expect(lines(await failure({ env: { MY_KEY: 'k' } }))).toEqual([`2:39 models.m.api_key | ${problem}`]);
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
  const manifest = { name, version: '1.0.0', contract: '^1.0', description: '', main: 'x', provides: [], owns: [], needs: [], permissions: [], options };
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
    expect(lines(await failure())).toEqual(['2:34 context.engines.compressor.depth | this is set at compression.depth too; write it in one place']);
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
    expect(lines(error).map((line) => line.replace(/;.*\|/u, ' |'))).toEqual(['1:15 compression.dpth | no such key | depth', '2:9 agent.max_stepz | no such key | max_steps', '3:24 models.m.provider | no such provider | openai']);
  });

  it('name the engine whose check breaks', async () => {
    const broken = { ...engine('lcm'), parseOptions: (): never => { throw new TypeError('boom'); } };
    const config = await load();
    expect(() => config.context.engineOptions('lcm').parse(broken)).toThrow(/Engine lcm, parseOptions: boom/u);
  });
});

describe('explain', () => {
  it('lists every effective value and its origin, and no secret', async () => {
    await write('project/palimpsest.yaml', [
      'models:', '  m: {provider: openai, model: "${env:NAME}", api_key: sk-1}', 'context:', '  engines: {e: {access_token: sk-2, url: "x${env:TOKEN}", list: ["${env:TOKEN}"]}}', 'compression: {depth: 4}', '',
    ].join('\n'));
    const config = await load({ env: { NAME: 'big', TOKEN: 'sk-3' }, known: { engines: [engine('compressor')] } });
    const rows = config.explain();
    expect(JSON.stringify([rows, rows.map((row) => config.origins(row.path)), config.origins('models'), config.origins('context.engines.e')])).not.toMatch(/sk-\d/u);
    expect(rows).toContainEqual({ path: 'models.m.api_key', value: '***', origin: 'project', file: path('project/palimpsest.yaml'), line: 2, owner: 'models' });
    expect(rows).toContainEqual({ path: 'models.m.model', value: '${env:NAME}', origin: 'project', file: path('project/palimpsest.yaml'), line: 2, owner: 'models' });
    expect(rows).toContainEqual({ path: 'compression.depth', value: 4, origin: 'project', file: path('project/palimpsest.yaml'), line: 5, owner: 'the engine' });
    expect(rows).toContainEqual({ path: 'compression.threshold', value: 0.5, origin: 'default', file: null, line: null, owner: 'budget' });
    for (const row of rows) expect(config.origins(row.path)).toEqual(row);
    expect(config.models['m']).toMatchObject({ model: 'big', apiKey: 'sk-1' });
    expect(config.origins('agent.nothing')).toBeNull();
    expect(config.origins('[[')).toBeNull();
  });

  it("shows the built-in engine's defaults where it is known", async () => {
    expect((await load({ known: { engines: [engine('compressor')] } })).origins('compression.depth')).toMatchObject({ value: 1, origin: 'default' });
    expect((await load()).origins('compression.depth')).toBeNull();
  });
});
