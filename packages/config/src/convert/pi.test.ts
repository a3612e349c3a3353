import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { convertPi } from './pi.ts';

const yamlOf = (settings: object): unknown => parse(convertPi(JSON.stringify(settings)).yaml);
const whys = (settings: object): readonly string[] =>
  convertPi(JSON.stringify(settings)).unknown.map(([path, why]) => `${path}: ${why.replace(/ \(line .*\)$/u, '')}`);

it('converts a whole file', () => {
  const { yaml, converted, unknown } = convertPi(`{
	"defaultProvider": "anthropic",
	"defaultModel": "claude-sonnet-4-5",
	"defaultThinkingLevel": "medium",
	"compaction": {
		"enabled": true,
		"reserveTokens": 16384,
		"keepRecentTokens": 20000,
		"thresholdTokens": 150000,
		"autoContinue": false,
		"adaptive": { "enabled": false }
	},
	"branchSummary": { "reserveTokens": 16384 },
	"packages": ["pi-skills"],
	"terminal": { "showImages": true, "images": "auto" }
}
`);
  expect(parse(yaml)).toEqual({
    models: { main: { provider: 'anthropic', model: 'claude-sonnet-4-5' } },
    agent: { model: 'main' },
    compaction: { strategy: 'context-full', keep_recent_tokens: 20_000, auto_continue: false },
    budget: { marks: { start: 150_000 } },
  });
  expect(converted).toEqual([
    ['defaultProvider', 'models.main.provider', 'anthropic'],
    ['defaultModel', 'models.main.model', 'claude-sonnet-4-5'],
    ['defaultModel', 'agent.model', 'main'],
    ['compaction.enabled', 'compaction.strategy', 'context-full'],
    ['compaction.thresholdTokens', 'budget.marks.start', 150_000],
    ['compaction.keepRecentTokens', 'compaction.keep_recent_tokens', 20_000],
    ['compaction.autoContinue', 'compaction.auto_continue', false],
  ]);
  expect(unknown).toEqual([
    ['defaultThinkingLevel', 'there is no such setting here'],
    ['compaction.reserveTokens', 'what is kept free is models.<name>.max_output_tokens'],
    ['compaction.adaptive.enabled', 'there is no such setting here'],
    ['branchSummary.reserveTokens', 'there is no such setting here'],
    ['packages', 'packages of pi do not run here; plugins names ours'],
    ['terminal', 'there is no such setting here'],
  ]);
});

describe('models', () => {
  it.each([
    ['openai', { provider: 'openai-responses', model: 'm' }],
    [
      'openrouter',
      { provider: 'openai-compatible', model: 'm', base_url: 'https://openrouter.ai/api/v1', api_key: '${env:OPENROUTER_API_KEY}' },
    ],
  ])('%s', (defaultProvider, expected) => {
    expect(yamlOf({ defaultProvider, defaultModel: 'm' })).toEqual({ models: { main: expected }, agent: { model: 'main' } });
  });

  it('takes a reference to the environment as the text it is', () => {
    expect(yamlOf({ defaultProvider: 'anthropic', defaultModel: '${env:X}' })).toMatchObject({ models: { main: { model: '$${env:X}' } } });
  });

  it('needs both keys and a provider that is here', () => {
    expect(whys({ defaultModel: 'm' })).toEqual(['defaultModel: both defaultProvider and defaultModel are needed']);
    expect(whys({ defaultProvider: 'anthropic', defaultModel: '' })).toEqual([
      'defaultProvider: both defaultProvider and defaultModel are needed',
      'defaultModel: both defaultProvider and defaultModel are needed',
    ]);
    expect(whys({ defaultProvider: 'toString', defaultModel: 'm' })).toEqual([
      'defaultProvider: this provider has another name here, or none; write the model under models',
      'defaultModel: this provider has another name here, or none; write the model under models',
    ]);
  });
});

describe('compaction', () => {
  it.each([
    [{ enabled: false }, 'off', []],
    [{ enabled: true }, 'context-full', []],
    [{ strategy: 'off' }, 'off', []],
    [{ enabled: true, strategy: 'off' }, 'off', ['compaction.enabled: compaction.strategy stands']],
    [{ enabled: false, strategy: 'context-full' }, 'off', ['compaction.strategy: compaction.enabled is false and stands']],
  ])('%j', (compaction, strategy, left) => {
    expect(yamlOf({ compaction })).toEqual({ compaction: { strategy } });
    expect(whys({ compaction })).toEqual(left);
  });

  it('takes a threshold for every window, as it was meant', () => {
    expect(yamlOf({ compaction: { thresholdPercent: 70 } })).toEqual({ compression: { threshold: 0.7, small_context_floor: false } });
  });

  it.each([
    [
      { thresholdPercent: -1, thresholdTokens: -1 },
      [
        'compaction.thresholdPercent: it leaves the choice to the program, which is the default here',
        'compaction.thresholdTokens: it leaves the choice to the program, which is the default here',
      ],
    ],
    [{ thresholdPercent: 120 }, ['compaction.thresholdPercent: has to be at most 1']],
    [{ thresholdTokens: 1.5 }, ['compaction.thresholdTokens: expected a whole number, found a number']],
    [{ keepRecentTokens: 0 }, ['compaction.keepRecentTokens: has to be above 0']],
    [{ keepRecentTokens: '20k' }, ['compaction.keepRecentTokens: expected a number']],
    [{ strategy: 'handoff' }, ['compaction.strategy: only context-full and off can be taken over']],
    [{ enabled: 'maybe' }, ['compaction.enabled: expected true or false']],
    [{ autoContinue: 'x' }, ['compaction.autoContinue: expected true or false']],
  ])('leaves %j', (compaction, left) => {
    expect(convertPi(JSON.stringify({ compaction }))).toMatchObject({ yaml: '', converted: [] });
    expect(whys({ compaction })).toEqual(left);
  });
});

describe('what is no settings file', () => {
  it.each([
    ['{"a": 1', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{"a": [1, 2}', 1, 12],
    ['[1]', 1, 1],
    ['"text"', 1, 1],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(() => convertPi(text)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        details: expect.objectContaining({ file: 'settings.json', line, column }) as unknown,
      }),
    );
  });
});

describe('what is nearly JSON', () => {
  it.each(['{"compaction": {"enabled": false,},}', '\uFEFF{"compaction": {"enabled": false}}', 'compaction:\n  enabled: false'])(
    '%j is read',
    (text) => {
      expect(convertPi(text).yaml).toBe('compaction:\n  strategy: off\n');
    },
  );
});
