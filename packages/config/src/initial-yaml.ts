import { parse } from 'yaml';
import type { Json } from '@palimpsest/contracts';
import { documentFaults } from './document-faults.ts';
import type { Path } from './dotted-path.ts';
import { configError } from './faults.ts';
import { ownSchema, schemaAt } from './json-schema.ts';
import { yamlScalar } from './yaml-text.ts';

/** What is known when a configuration is started. Texts are written as they are: `${env:NAME}` in them is a reference. */
export interface InitialSettings {
  /** Entered under `models` as `main`, and chosen. */
  readonly model?: InitialModel;
  readonly engine?: string;
  readonly storePath?: string;
  /** Where editors find the JSON Schema, relative to the file. Default: `./palimpsest.schema.json`. */
  readonly schema?: string;
}
export interface InitialModel {
  readonly provider: string;
  /** The provider's name for it. */
  readonly model?: string;
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key; without one the provider's usual variable counts. */
  readonly apiKeyVariable?: string;
  readonly windowTokens?: number;
  /** For `scripted`: a file. */
  readonly script?: string;
}

const HEAD = `# Settings of Palimpsest. Every key is optional. What stands behind a # is the default, or an example where there is none: take the # away
# to set it. "palimpsest config explain" prints what is in force, "palimpsest config check" finds mistakes.
`;

/**
 * A `palimpsest.yaml` to start from: the chosen keys set, the most wanted others behind a `#`, each with its meaning.
 * @throws CONFIG_INVALID when a choice is not valid; without a place.
 */
export function initialYaml(settings: InitialSettings = {}): string {
  const sections = sectionsOf(settings).map(written);
  const text = [`# yaml-language-server: $schema=${settings.schema ?? './palimpsest.schema.json'}\n${HEAD}`, ...sections].join('\n');
  const faults = documentFaults((parse(text) ?? {}) as { readonly [key: string]: Json });
  if (faults.length > 0) throw configError(faults);
  return text;
}

/** One block of keys that stand under one path; undefined values are left behind a `#`. */
interface Block {
  readonly path: Path;
  readonly keys: readonly (readonly [key: string, value: Json | undefined])[];
}

function sectionsOf({ model, engine, storePath }: InitialSettings): readonly Block[] {
  return [
    {
      path: ['agent'],
      keys: [
        ['model', model === undefined ? undefined : 'main'],
        ['max_steps', undefined],
      ],
    },
    { path: ['models', 'main'], keys: model === undefined ? SAMPLE_MODEL : keysOf(model) },
    {
      path: ['context'],
      keys: [
        ['engine', engine],
        ['on_engine_failure', undefined],
      ],
    },
    {
      path: ['compression'],
      keys: [
        ['enabled', undefined],
        ['threshold', undefined],
        ['threshold_tokens', undefined],
      ],
    },
    { path: ['compaction'], keys: [['keep_recent_tokens', undefined]] },
    { path: ['prompt'], keys: [['system', undefined]] },
    {
      path: ['store'],
      keys: [
        ['path', storePath],
        ['durability', undefined],
      ],
    },
    { path: [], keys: [['plugins', undefined]] },
  ];
}

const SAMPLE_MODEL: Block['keys'] = [
  ['provider', undefined],
  ['model', undefined],
  ['api_key', undefined],
  ['window_tokens', undefined],
];

/** What only some models need is left out, not shown. */
function keysOf({ provider, model, baseUrl, apiKeyVariable, windowTokens, script }: InitialModel): Block['keys'] {
  const chosen: Block['keys'] = [
    ['provider', provider],
    ['model', model],
    ['base_url', baseUrl],
    ['api_key', apiKeyVariable === undefined ? undefined : `\${env:${apiKeyVariable}}`],
    ['script', script],
  ];
  return [...chosen.filter(([, value]) => value !== undefined), ['window_tokens', windowTokens]];
}

function written({ path, keys }: Block): string {
  const isSet = keys.some(([, value]) => value !== undefined);
  const indent = '  '.repeat(path.length);
  const lines = [
    ...path.map((step, depth) => `${'  '.repeat(depth)}${String(step)}:`),
    ...keys.flatMap(([key, value]) => [
      ...(path.length === 0 ? [] : commentLines(meaningOf([...path, key]), indent)),
      `${indent}${isSet && value === undefined ? '# ' : ''}${key}: ${yamlScalar(value ?? shownAt([...path, key]))}`,
    ]),
  ];
  const head = meaningOf(path.length === 0 ? [String(keys[0]?.[0])] : path.slice(0, 1));
  return [`# ${head}`, ...(isSet ? lines : lines.map((line) => `# ${line}`)), ''].join('\n');
}

const MOST_COLUMNS = 120;

/** Broken between words. */
function commentLines(text: string, indent: string): readonly string[] {
  const lines = text.matchAll(new RegExp(`(.{1,${String(MOST_COLUMNS - indent.length)}})(?: |$)`, 'gu'));
  return Array.from(lines, ([, line = '']) => `${indent}# ${line}`);
}

const meaningOf = (path: Path): string => String(schemaAt(ownSchema, path)['description']);

/** The default, where it says something; else an example. */
function shownAt(path: Path): Json {
  const { default: preset, examples } = schemaAt(ownSchema, path);
  const saysNothing = preset === undefined || preset === null || preset === '' || (Array.isArray(preset) && preset.length === 0);
  return saysNothing && Array.isArray(examples) ? (examples[0] ?? null) : (preset ?? null);
}
