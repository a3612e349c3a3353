import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isPalimpsestError } from '@palimpsest/contracts';
import { known } from './built-in.test-support.ts';
import { useFolders } from './folders.test-support.ts';
import { initialYaml, type InitialSettings } from './initial-yaml.ts';
import { configJsonSchema, knownKeys, ownSchema } from './json-schema.ts';

const { path, write, load } = useFolders();
const env = { MY_KEY: 'k', OPENAI_API_KEY: 'o' };

/** With every key set that stands behind a `#`. Meanings begin with a capital letter or a backtick, keys do not. */
const opened = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^# ( *)(?=[a-z_]+:( |$)|# )(?!yaml-)/u, '$1').replace(/^( +)# (?=[a-z_]+: )/u, '$1'))
    .join('\n');

const full: InitialSettings = {
  model: { provider: 'openai-compatible', model: 'big', baseUrl: 'http://localhost:1/v1', apiKeyVariable: 'MY_KEY', windowTokens: 32_000 },
  engine: 'lcm',
  storePath: 'data/log.db',
};

describe('initialYaml', () => {
  it.each([
    ['nothing', {}, {}],
    ['an engine', { engine: 'lcm' }, { context: { engine: 'lcm' } }],
    [
      'a model',
      { model: { provider: 'anthropic', model: 'm' } },
      { agent: { model: 'main' }, models: { main: { provider: 'anthropic', model: 'm' } } },
    ],
    [
      'a script',
      { model: { provider: 'scripted', script: 'a.json' } },
      { agent: { model: 'main' }, models: { main: { provider: 'scripted', script: 'a.json' } } },
    ],
    [
      'everything',
      full,
      {
        agent: { model: 'main' },
        models: {
          main: {
            provider: 'openai-compatible',
            model: 'big',
            base_url: 'http://localhost:1/v1',
            api_key: '${env:MY_KEY}',
            window_tokens: 32_000,
          },
        },
        context: { engine: 'lcm' },
        store: { path: 'data/log.db' },
      },
    ],
  ])('sets %s and nothing else', async (_, settings, expected) => {
    const text = initialYaml(settings);
    expect(parse(text) ?? {}).toEqual(expected);
    expect(z.fromJSONSchema(configJsonSchema()).safeParse(parse(text) ?? {}).success).toBe(true);
    await write('project/palimpsest.yaml', text);
    await load({ known, env });
  });

  it.each([
    ['nothing', {}],
    ['everything', full],
    ['a script', { model: { provider: 'scripted', script: 'a.json' } }],
  ])('is valid with every # taken away: %s', async (_, settings) => {
    const text = opened(initialYaml(settings));
    await write('project/palimpsest.yaml', text);
    const config = await load({ known, env });
    const document = parse(text) as Record<string, object>;
    expect(Object.keys(document)).toEqual(['agent', 'models', 'context', 'compression', 'compaction', 'prompt', 'store', 'plugins']);
    expect(Object.keys(document['agent'] ?? {})).toEqual(knownKeys(ownSchema, ['agent']));
    expect(config.agent).toMatchObject({ model: 'main', maxSteps: 50 });
    expect(config.store.path).toMatch(path('project'));
    expect(config.budget).toMatchObject({ threshold: 0.5 });
  });

  it('starts with the line that editors look for, and says what each key means', () => {
    const [first, ...rest] = initialYaml().split('\n');
    expect(first).toBe('# yaml-language-server: $schema=./palimpsest.schema.json');
    expect(initialYaml({ schema: '../s.json' }).split('\n')[0]).toBe('# yaml-language-server: $schema=../s.json');
    expect(rest).toContain('#   # Most model calls in one turn.');
    expect(initialYaml(full).split('\n')).toContain('  # Most model calls in one turn.');
    expect(initialYaml(full)).toMatch(/^ {2}# max_steps: 50$/mu);
    for (const line of rest) expect(line.length).toBeLessThanOrEqual(140);
  });

  it.each([
    [{ engine: 'A b' }, 'context.engine'],
    [{ model: { provider: 'openai' } }, 'models.main.model'],
    [{ model: { provider: 'openai', model: 'm', baseUrl: 'nowhere' } }, 'models.main.base_url'],
    [{ model: { provider: 'openai', model: 'm', windowTokens: 0 } }, 'models.main.window_tokens'],
    [{ model: { provider: 'scripted' } }, 'models.main.script'],
    [{ storePath: '' }, 'store.path'],
  ])('refuses %j', (settings, wrong) => {
    expect(() => initialYaml(settings)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', details: expect.objectContaining({ path: wrong }) as unknown }),
    );
  });

  it('writes any text so that it is read as it was', () => {
    const any = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom(
        'null',
        'true',
        '1',
        '# x',
        'a: b',
        '- a',
        "'",
        '"',
        '${env:X}',
        ' a ',
        'a\nb',
        '\u0085',
        '\u2028',
        '&a',
        '*a',
        '!x',
        '%',
        '@',
      ),
    );
    let valid = 0;
    fc.assert(
      fc.property(any, any, (model, storePath) => {
        const settings = { model: { provider: 'openai', model }, storePath };
        try {
          expect(parse(initialYaml(settings))).toEqual({
            agent: { model: 'main' },
            models: { main: { provider: 'openai', model } },
            store: { path: storePath },
          });
          valid += 1;
        } catch (thrown) {
          if (!isPalimpsestError(thrown, 'CONFIG_INVALID')) throw thrown;
        }
      }),
      { seed: 41, numRuns: 300 },
    );
    expect(valid).toBe(300);
  });
});
