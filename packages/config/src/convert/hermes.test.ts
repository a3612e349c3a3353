import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { convertHermes } from './hermes.ts';

const yamlOf = (text: string): unknown => parse(convertHermes(text).yaml);
const unknownOf = (text: string): unknown => Object.fromEntries(convertHermes(text).unknown);
/** The same, one line each, without the places. */
const whys = (text: string): readonly string[] =>
  convertHermes(text).unknown.map(([path, why]) => `${path}: ${why.replace(/ \(line .*\)$/u, '')}`);

describe('a whole file', () => {
  const text = `# Mine, with remarks
model:
  default: "anthropic/claude-opus-4.6"   # the big one
  provider: anthropic
  context_length: 200000
  max_tokens: 8_000
agent:
  max_turns: 90
  verbose: false
compression:
  enabled: yes
  threshold: "0.6"
  threshold_tokens: 150000
  target_ratio: 0.3
  protect_first_n: 2
  protect_last_n: 12
  min_tail_user_messages: 2
  model_thresholds:
    gpt-4.1: 0.7
    openai:gpt-5: 0.8
  tail_mode: lean
  idle_compact_after_seconds: 600
context:
  engine: compressor
auxiliary:
  compression:
    model: small
terminal:
  backend: local
  cwd: /home
`;
  const { yaml, converted, unknown } = convertHermes(text);

  it('keeps what there is a key for', () => {
    expect(parse(yaml)).toEqual({
      models: { main: { provider: 'anthropic', model: 'claude-opus-4.6', window_tokens: 200_000, max_output_tokens: 8_000 } },
      agent: { model: 'main', max_steps: 90 },
      context: { engine: 'compressor' },
      compression: {
        enabled: true,
        threshold: 0.6,
        threshold_tokens: 150_000,
        model_thresholds: { 'gpt-4.1': 0.7, 'openai:gpt-5': 0.8 },
        target_ratio: 0.3,
        protect_first_n: 2,
        protect_last_n: 12,
        min_tail_user_messages: 2,
      },
    });
    expect(yaml).not.toContain('#');
  });

  it('tells which key became which', () => {
    expect(converted).toContainEqual(['agent.max_turns', 'agent.max_steps', 90]);
    expect(converted).toContainEqual(['model.default', 'models.main.model', 'claude-opus-4.6']);
    expect(converted).toContainEqual(['model.default', 'agent.model', 'main']);
    expect(converted).toContainEqual(['compression.model_thresholds["gpt-4.1"]', 'compression.model_thresholds["gpt-4.1"]', 0.7]);
    expect(converted).toHaveLength(16);
  });

  it('names the rest', () => {
    expect(unknown).toEqual([
      ['agent.verbose', 'there is no such setting here'],
      ['compression.tail_mode', 'there is no such setting here'],
      ['compression.idle_compact_after_seconds', 'there is no such setting here'],
      ['auxiliary.compression.model', 'there is no such setting here'],
      ['terminal', 'there is no such setting here'],
    ]);
  });
});

describe('models', () => {
  it.each([
    [
      '{default: m, provider: auto, base_url: "https://openrouter.ai/api/v1"}',
      { provider: 'openai-compatible', model: 'm', base_url: 'https://openrouter.ai/api/v1', api_key: '${env:OPENROUTER_API_KEY}' },
    ],
    [
      '{default: a/m, provider: openrouter, api_key: "${MY_KEY}"}',
      { provider: 'openai-compatible', model: 'a/m', base_url: 'https://openrouter.ai/api/v1', api_key: '${env:MY_KEY}' },
    ],
    [
      '{model: m, base_url: "http://localhost:8000/v1"}',
      { provider: 'openai-compatible', model: 'm', base_url: 'http://localhost:8000/v1' },
    ],
    ['{model: m, provider: custom, base_url: "${SERVER}/v1"}', { provider: 'openai-compatible', model: 'm', base_url: '${env:SERVER}/v1' }],
    ['{default: m, provider: LMStudio}', { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:1234/v1' }],
    ['{default: m, provider: openai, api_key: "${KEY}"}', { provider: 'openai', model: 'm', api_key: '${env:KEY}' }],
    [
      '{default: m, provider: anthropic, base_url: "https://proxy.example/a/"}',
      { provider: 'anthropic', model: 'm', base_url: 'https://proxy.example/a/v1' },
    ],
    [
      '{default: m, provider: anthropic, base_url: "https://proxy.example/v1"}',
      { provider: 'anthropic', model: 'm', base_url: 'https://proxy.example/v1' },
    ],
    [
      '{default: m, provider: ollama, base_url: "http://h:1/v1", context_length: 64000, ollama_num_ctx: 32768}',
      { provider: 'openai-compatible', model: 'm', base_url: 'http://h:1/v1', window_tokens: 32_768 },
    ],
  ])('%s', (model, expected) => {
    expect(yamlOf(`model: ${model}`)).toEqual({ models: { main: expected }, agent: { model: 'main' } });
  });

  it.each([
    ['anthropic/claude', ['model: which service this is cannot be told; name provider, model and base_url under models']],
    ['3', ['model: expected the name of a model']],
    ['{provider: anthropic}', ['model.provider: no model is named (model.default)']],
    [
      '{default: m, provider: gemini}',
      [
        'model.default: which service this is cannot be told; name provider, model and base_url under models',
        'model.provider: which service this is cannot be told; name provider, model and base_url under models',
      ],
    ],
    ['{default: m, provider: custom}', ['model.default: this provider needs a base_url', 'model.provider: this provider needs a base_url']],
    [
      '{default: m, provider: custom, base_url: "ftp://x", context_length: 9}',
      [
        'model.provider: not an http or https address',
        'model.default: not an http or https address',
        'model.base_url: not an http or https address',
        'model.context_length: models.main.provider is missing',
      ],
    ],
  ])('%s is left, whole', (model, expected) => {
    expect(convertHermes(`model: ${model}`)).toMatchObject({ yaml: '', converted: [] });
    expect(whys(`model: ${model}`)).toEqual(expected);
  });

  it('leaves what contradicts', () => {
    expect(whys('model: {default: m, model: n, provider: anthropic, context_length: 9, ollama_num_ctx: 12, max_tokens: 9}')).toEqual([
      'model.model: model.default stands',
      'model.ollama_num_ctx: the smaller window stands',
      'model.max_tokens: has to be below window_tokens (9)',
    ]);
  });

  it('copies no secret and tells none', () => {
    const result = convertHermes('model: {default: m, provider: anthropic, api_key: sk-secret}');
    expect(JSON.stringify(result)).not.toContain('sk-secret');
    expect(result.unknown).toEqual([
      ['model.api_key', 'secrets are not copied; set models.main.api_key to ${env:NAME} (line 1, column 51)'],
    ]);
  });
});

describe('values', () => {
  it.each([
    ['true', true],
    ['yes', true],
    ['ON', true],
    ['1', true],
    ['"true"', true],
    ['false', false],
    ['no', false],
    ['off', false],
    ['0', false],
  ])('enabled: %s', (written, value) => {
    expect(yamlOf(`compression: {enabled: ${written}}`)).toEqual({ compression: { enabled: value } });
  });

  it.each([
    ['threshold: 1.5', 'has to be at most 1 (line 2, column 14)'],
    ['threshold: half', 'expected a number (line 2, column 14)'],
    ['threshold:', 'expected a number (line 2, column 13)'],
    ['threshold_tokens: 0', 'has to be above 0 (line 2, column 21)'],
    ['enabled: maybe', 'expected true or false (line 2, column 12)'],
    ['protect_last_n: 0', 'expected a whole number of at least 1 (line 2, column 19)'],
    ['protect_first_n: 1.5', 'expected a whole number of at least 0 (line 2, column 20)'],
  ])('%s is left, with its place', (line, why) => {
    expect(convertHermes(`compression:\n  ${line}`)).toEqual({
      yaml: '',
      converted: [],
      unknown: [[`compression.${String(line.split(':')[0])}`, why]],
    });
  });

  it('keeps null where it means something', () => {
    expect(yamlOf('compression: {threshold_tokens: null}')).toEqual({ compression: { threshold_tokens: null } });
  });

  it('takes the older place of the step limit, unless the newer is written', () => {
    expect(yamlOf('max_turns: 30')).toEqual({ agent: { max_steps: 30 } });
    expect(yamlOf('max_turns: 30\nagent: {max_turns: 40}')).toEqual({ agent: { max_steps: 40 } });
    expect(whys('max_turns: 30\nagent: {max_turns: 40}')).toEqual(['max_turns: agent.max_turns stands']);
  });

  it('rewrites references to the environment, in text only', () => {
    expect(yamlOf("agent: {system_prompt: 'I am ${NAME}, not ${env:NAME} or $NAME'}")).toEqual({
      prompt: { system: 'I am ${env:NAME}, not $${env:NAME} or $NAME' },
    });
  });

  it('leaves engines that are not here', () => {
    expect(unknownOf('context: {engine: lcm}')).toEqual({
      'context.engine': 'engines of Hermes do not run here; name an installed one (line 1, column 19)',
    });
  });

  it.each(['', '# nothing\n', 'compression:\nagent:\n', 'compression: {}'])('%j has nothing in it', (text) => {
    expect(convertHermes(text)).toEqual({ yaml: '', converted: [], unknown: [] });
  });

  it.each([
    ['compression: 3', 'compression', 'expected a mapping'],
    ['compression: {model_thresholds: [a]}', 'compression.model_thresholds', 'expected a mapping'],
    ['agent: [1]', 'agent', 'expected a mapping'],
    ['plugins: {enabled: [a]}', 'plugins', 'plugins of Hermes do not run here; plugins names ours'],
  ])('%s', (text, path, why) => {
    expect(convertHermes(text)).toEqual({ yaml: '', converted: [], unknown: [[path, why]] });
  });
});

describe('what is no settings file', () => {
  it.each([
    ['a: [1', 1, 6],
    ['a:\n  b: 1\n c: 2', 3, 1],
    ['a: 1\na: 2', 2, 1],
    ['just text', 1, 1],
    ['- a', 1, 1],
    ['a: !!python/object x', 1, 4],
  ])('%j: line %i, column %i', (text, line, column) => {
    const convert = (): unknown => convertHermes(text, '~/.hermes/config.yaml');
    expect(convert).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        details: expect.objectContaining({ file: '~/.hermes/config.yaml', line, column }) as unknown,
      }),
    );
  });
});
