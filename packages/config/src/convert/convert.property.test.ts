import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isPalimpsestError, type Json } from '@palimpsest/contracts';
import { known } from '../built-in.test-support.ts';
import { pathOf, type Path } from '../dotted-path.ts';
import { useFolders } from '../folders.test-support.ts';
import type { Conversion } from './conversion.ts';
import { convertHermes } from './hermes.ts';
import { convertPi } from './pi.ts';

const { write, load } = useFolders();

const SECRET = 'sk-do-not-tell';
const word = fc.constantFrom(
  'a',
  'anthropic/m',
  'anthropic',
  'openrouter',
  'openai',
  'custom',
  'auto',
  'gemini',
  'compressor',
  'off',
  'yes',
  '${KEY}',
  '${env:KEY}',
  '$${env:A ${KEY}',
  '${env:',
  '',
  ' ',
  'null',
  '#x',
  'a: b',
  '"',
  'ü\n\tx',
  'a\u0000b\n\u0085\u2028',
  '\n  x ',
  'http://h/v1',
  '${HOST}/v1',
  'https://openrouter.ai/api/v1',
);
const figure = fc.oneof(fc.integer({ min: -2, max: 200 }), fc.constantFrom(0.5, 1.5, 1e6, 0.1, '0.6', '1_000'));
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: figure },
  { weight: 3, arbitrary: word },
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom<Json[]>([], ['x'], {}, { a: 1, 'b.c': { d: 2 } }),
);
const settings = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(shape, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Json>;
const section = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 6, arbitrary: settings(shape) }, value);
const any = (...keys: readonly string[]): Record<string, fc.Arbitrary<Json>> => Object.fromEntries(keys.map((key) => [key, value]));

const hermes = settings({
  model: section({
    ...any('model', 'default', 'base_url', 'context_length', 'max_tokens', 'ollama_num_ctx', 'streaming'),
    provider: fc.constantFrom('anthropic', 'openrouter', 'lmstudio', 'custom', 'auto', 'gemini'),
    default: fc.constantFrom('anthropic/m', 'm', '${KEY}'),
    api_key: fc.constantFrom(SECRET, '${KEY}', `x${SECRET}\${KEY}`),
  }),
  compression: section({
    ...any(
      'enabled',
      'threshold',
      'threshold_tokens',
      'target_ratio',
      'protect_first_n',
      'protect_last_n',
      'min_tail_user_messages',
      'tail_mode',
    ),
    model_thresholds: fc.oneof(value, fc.dictionary(fc.constantFrom('m', 'gpt-4.1', 'toString', ''), value, { noNullPrototype: true })),
  }),
  agent: section(any('max_turns', 'system_prompt', 'verbose')),
  context: section(any('engine', 'x')),
  auxiliary: section({ compression: section(any('model')) }),
  ...any('max_turns', 'terminal', 'plugins'),
});
const pi = settings({
  defaultProvider: fc.oneof(value, fc.constantFrom('anthropic', 'openrouter')),
  defaultModel: fc.oneof(value, word),
  compaction: section(
    any('enabled', 'strategy', 'keepRecentTokens', 'reserveTokens', 'thresholdPercent', 'thresholdTokens', 'autoContinue', 'idleEnabled'),
  ),
  branchSummary: section(any('enabled')),
  ...any('theme', 'packages'),
});

const env = { KEY: 'http://key', A: 'a', HOST: 'http://host', OPENROUTER_API_KEY: 'or' };
const startsWith = (path: Path, start: Path): boolean => start.every((step, index) => step === path[index]);

/** Every path at which a value stands that is no mapping with something in it. */
function leaves(document: Json, path: Path = []): readonly Path[] {
  if (typeof document === 'object' && document !== null && !Array.isArray(document))
    return Object.entries(document).flatMap(([key, item]) => leaves(item, [...path, key]));
  return [path];
}
const at = (document: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, step) => (here as Record<string, unknown>)[step], document);

const seen = { converted: 0, left: 0, models: 0 };
async function holds(source: Json, { yaml, converted, unknown }: Conversion): Promise<void> {
  await write('project/palimpsest.yaml', yaml);
  await load({ known, env });
  const document = yaml === '' ? {} : (parse(yaml) as Json);
  expect(leaves(document)).toHaveLength(new Set(converted.map(([, to]) => to)).size);
  for (const [, to, set] of converted) expect(at(document, pathOf(to) ?? [])).toEqual(set);
  const answered = [...converted.map(([from]) => from), ...unknown.map(([path]) => path)].map((path) => pathOf(path) ?? []);
  const lost = leaves(source).filter((leaf) => at(source, leaf) !== null && !answered.some((one) => startsWith(leaf, one)));
  expect(lost).toEqual([]);
  expect(new Set(unknown.map(([path]) => path)).size).toBe(unknown.length);
  expect(converted.filter(([from]) => unknown.some(([path]) => path === from))).toEqual([]);
  expect(JSON.stringify([yaml, converted, unknown])).not.toContain(SECRET);
  seen.converted += converted.length;
  seen.left += unknown.length;
  seen.models += yaml.startsWith('models:') ? 1 : 0;
}

it('Hermes: what comes out loads, nothing is lost, no secret is told', async () => {
  await fc.assert(
    fc.asyncProperty(hermes, async (source) => {
      await holds(source, convertHermes(JSON.stringify(source)));
    }),
    { seed: 31, numRuns: 250 },
  );
});

it('pi: what comes out loads, nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(pi, fc.constantFrom(undefined, 2, '\t'), async (source, indent) => {
      await holds(source, convertPi(JSON.stringify(source, null, indent)));
    }),
    { seed: 32, numRuns: 250 },
  );
});

it.each([
  ['Hermes', convertHermes],
  ['pi', convertPi],
])('%s: any other text is a typed error with its place', (_, convert) => {
  const piece = fc.constantFrom(
    'model',
    'compression',
    'compaction',
    ': ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    '- ',
    '&x ',
    '*x',
    '<<',
    '!x',
    '1',
    '\t',
    'threshold',
    '---',
  );
  let refused = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
      ),
      (text) => {
        try {
          convert(text);
        } catch (thrown) {
          refused += 1;
          if (!isPalimpsestError(thrown, 'CONFIG_INVALID')) throw thrown;
          const { line, column } = thrown.details as { readonly line: number; readonly column: number };
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(text.split(/\r\n?|\n/u).length);
        }
      },
    ),
    { seed: 33, numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(100);
});

afterAll(() => {
  expect(seen.converted).toBeGreaterThan(800);
  expect(seen.left).toBeGreaterThan(500);
  expect(seen.models).toBeGreaterThan(50);
});
