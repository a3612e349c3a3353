import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPalimpsestError, type PalimpsestError } from '@palimpsest/contracts';
import { lines, useFolders } from './folders.test-support.ts';
import { requireSet } from './settings.ts';

const { write, load, failure } = useFolders();

describe('faults', () => {
  it('are all found, in reading order, each with its place and the nearest key', async () => {
    const file = await write(
      'project/palimpsest.yaml',
      `compresion:
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
`,
    );
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
    expect(error).toMatchObject({
      code: 'CONFIG_INVALID',
      kind: 'config',
      hint: 'Did you mean "compression"?',
      details: { file, line: 1, column: 1 },
    });
    expect(error.message).toContain(`${file}:1:1: compresion: no such key`);
    expect(error.message).toContain('(and 12 more)');
  });

  it('are found in every layer, also in values that a higher layer replaces', async () => {
    await write('user/palimpsest.yaml', 'agent: {max_steps: many}');
    await write('project/palimpsest.yaml', 'agent: {max_steps: 3, modl: x}');
    expect(lines(await failure())).toEqual([
      '1:20 agent.max_steps | expected a number, found text',
      '1:23 agent.modl | no such key; known here: model, max_steps | model',
    ]);
  });

  it.each([
    ['models: {m: {provider: p}}', '1:10 models.m.model | this provider needs to be told which model'],
    ['models: {m: {model: x}}', '1:10 models.m.provider | is missing'],
    ['models: {m: {provider: scripted}}', '1:10 models.m.script | provider "scripted" needs a script'],
    ['models: {m: {provider: p, model: x, script: s}}', '1:45 models.m.script | only provider "scripted" reads a script'],
    ['models: {m: {provider: p, model: x, base_url: "ftp://x"}}', '1:47 models.m.base_url | not an http or https address'],
    [
      'models: {m: {provider: p, model: x, base_url: "https://u:p@x.example"}}',
      '1:47 models.m.base_url | credentials do not belong in an address; use api_key',
    ],
    [
      'models: {m: {provider: p, model: x, window_tokens: 9, max_output_tokens: 9}}',
      '1:74 models.m.max_output_tokens | has to be below window_tokens (9)',
    ],
    ['models: {m: {provider: scripted, script: {a: 1}}}', '1:42 models.m.script | a mapping cannot stand here'],
    ['context: {engine: ""}', '1:19 context.engine | an engine name is lower-case letters, digits and dashes, a letter first'],
    [
      'context: {engines: {"A b": {}}}',
      '1:21 context.engines["A b"] | an engine name is lower-case letters, digits and dashes, a letter first',
    ],
    ['context: {engines: {lcm: 3}}', '1:26 context.engines.lcm | expected a mapping, found a number'],
    ['agent: {max_steps: 1.5}', '1:20 agent.max_steps | expected a whole number, found a number'],
    ['agent: {max_steps:}', '1:19 agent.max_steps | expected a number, found nothing'],
    [
      'compression: {model_thresholds: {gpt-4.1: true}}',
      '1:43 compression.model_thresholds["gpt-4.1"] | expected a number, found a boolean',
    ],
    ['prompt: {system: [a]}', '1:18 prompt.system | expected text, found a list'],
  ])('%s', async (text, expected) => {
    await write('project/palimpsest.yaml', text);
    expect(lines(await failure())).toEqual([expected]);
  });

  it('never repeats a value, which may be a secret', async () => {
    await write(
      'project/palimpsest.yaml',
      'agent: {max_steps: hunter2}\nstore: {durability: hunter2}\nmodels: {m: {provider: p, model: x, base_url: "hunter2://a"}}',
    );
    expect(JSON.stringify(await failure())).not.toContain('hunter2');
  });

  it('are typed whatever the text is', async () => {
    const word = fc.constantFrom(
      'context',
      'engine',
      'engines',
      'compressor',
      'compression',
      'threshold',
      'models',
      'm',
      'provider',
      'scripted',
      'script',
      'budget',
      'marks',
      'low',
      '<<',
      '*a',
      '&a',
      '${env:X}',
      '1',
      'x',
      'null',
    );
    const text = fc
      .array(
        fc.tuple(
          fc.constantFrom('', '  ', '    ', '- '),
          word,
          fc.constantFrom(': ', ':', ''),
          fc.oneof(word, fc.constant(''), fc.constant('{}'), fc.constant('[]')),
        ),
        { maxLength: 12 },
      )
      .map((rows) => rows.map((row) => row.join('')).join('\n'));
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: text }, fc.string({ unit: 'binary' })), async (yaml) => {
        await write('project/palimpsest.yaml', yaml);
        const thrown: unknown = await load().then(
          () => null,
          (reason: unknown) => reason,
        );
        if (thrown === null) valid += 1;
        else expect(isPalimpsestError(thrown, 'CONFIG_INVALID')).toBe(true);
      }),
      { seed: 21, numRuns: 250 },
    );
    expect(valid).toBeGreaterThan(8);
  });
});

describe('the environment', () => {
  it('is filled in behind what only begins like a reference', async () => {
    await write('project/palimpsest.yaml', 'prompt: {system: "$${env:A ${env:B}"}');
    expect((await load({ env: { B: 'b' } })).prompt.system).toBe('${env:A b');
  });

  it('is filled in anywhere in a text, once, and can be escaped', async () => {
    await write(
      'project/palimpsest.yaml',
      'prompt: {system: "a ${env:A} ${env:B}, $${env:A}"}\ncontext: {engines: {e: {list: ["${env:A}"]}}}',
    );
    const config = await load({ env: { A: '${env:B}', B: '' } });
    expect(config.prompt.system).toBe('a ${env:B} , ${env:A}');
    expect(config.context.engineOptions('e').raw).toEqual({ list: ['${env:B}'] });
  });

  it.each([
    ['"${env:MY_KEZ}"', 'the environment variable MY_KEZ is not set | MY_KEY'],
    ['"${env:toString}"', 'the environment variable toString is not set'],
    ['"${env:}"', '"${env:}" is no reference to an environment variable; write ${env:NAME}'],
    ['"${env:A"', '"${env:A" is no reference to an environment variable; write ${env:NAME}'],
  ])('refuses %s', async (value, problem) => {
    await write('project/palimpsest.yaml', `store:\n  path: ${value}`);
    expect(lines(await failure({ env: { MY_KEY: 'k' } }))).toEqual([`2:9 store.path | ${problem}`]);
  });

  it('is asked of a model only when that is opened', async () => {
    await write(
      'project/palimpsest.yaml',
      'models:\n  m: {provider: p, model: "${env:M}", api_key: "a ${env:MY_KEZ}", base_url: "${env:URL}/v1"}\n  n: {provider: p, model: x, api_key: "${env:MY_KEY}"}',
    );
    const { models, explain } = await load({ env: { MY_KEY: 'k' } });
    expect(models).toMatchObject({ m: { model: '${env:M}', baseUrl: '${env:URL}/v1' }, n: { apiKey: 'k', unset: [] } });
    expect(explain().find(({ path }) => path === 'models.m.base_url')?.value).toBe('${env:URL}/v1');
    const { m, n } = models;
    if (m === undefined || n === undefined) throw new Error('both are models');
    expect(requireSet(n)).toBe(n);
    expect(lines(thrownBy(() => requireSet(m)))).toEqual([
      '2:27 models.m.model | the environment variable M is not set',
      '2:48 models.m.api_key | the environment variable MY_KEZ is not set | MY_KEY',
      '2:77 models.m.base_url | the environment variable URL is not set',
    ]);
    expect(thrownBy(() => requireSet(m)).hint).toBe('Did you mean "MY_KEY"? Set it first: export M=… export MY_KEZ=… export URL=…');
  });

  it('names a variable that is empty where a model needs a value', async () => {
    await write('project/palimpsest.yaml', 'prompt: {system: "${env:E}"}\nmodels: {m: {provider: p, model: x, api_key: "${env:E}"}}');
    const { models, prompt } = await load({ env: { E: '' } });
    expect([prompt.system, models['m']?.unset.map(({ problem }) => problem)]).toEqual(['', ['the environment variable E is empty']]);
  });

  it('is not asked for what another layer replaces, but for who serves the model', async () => {
    await write('user/palimpsest.yaml', 'models: {m: {provider: p, model: x, api_key: "${env:A}"}}');
    await write('project/palimpsest.yaml', 'models: {m: {api_key: k}}');
    expect((await load()).models['m']?.unset).toEqual([]);
    await write('project/palimpsest.yaml', 'models: {m: {provider: "${env:P}"}}');
    expect(lines(await failure())).toEqual(['1:24 models.m.provider | the environment variable P is not set']);
  });
});

function thrownBy(work: () => unknown): PalimpsestError {
  try {
    work();
  } catch (error) {
    if (isPalimpsestError(error, 'CONFIG_INVALID')) return error;
  }
  throw new Error('a CONFIG_INVALID was expected');
}
