/**
 * Every key of `palimpsest.yaml` with its type, default, owner (the package that acts on it), meaning and examples. The JSON Schema, the
 * unknown-key check, the starting file and the README's table come from here.
 */
import { z } from 'zod';
import { ENGINE_NAME, type Json } from '@palimpsest/contracts';

type About = {
  readonly owner: string;
  readonly description: string;
  readonly examples?: Json[];
};
const about = (owner: string, description: string, ...examples: Json[]): About => ({
  owner,
  description,
  ...(examples.length === 0 ? {} : { examples }),
});
const tokens = z.number().int().positive();
const share = z.number().gt(0).lte(1);
const path = z.string().min(1);
const engineName = z.string().regex(ENGINE_NAME, 'an engine name is lower-case letters, digits and dashes, a letter first');
const packageName = z.string().regex(/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/u, 'not a package name');

const context = z.strictObject({
  engine: engineName
    .default('compressor')
    .meta(about('plugins', 'Name of the context engine. `compressor` always means the built-in.', 'compressor')),
  on_engine_failure: z
    .enum(['fallback', 'fail'])
    .default('fallback')
    .meta(about('plugins', 'Engine not found, or failing: let the built-in one stand in, or stop with an error.')),
  engines: z
    .record(engineName, z.record(z.string(), z.unknown()))
    .default({})
    .meta(about('the engine', 'Options of the engine of that name, checked by its own schema.', { compressor: { protect_last_n: 20 } })),
});

/** Keys that are not named here are options of the built-in engine. */
const compression = z.looseObject({
  enabled: z.boolean().default(true).meta(about('maintenance', 'False: nothing makes room by itself, hygiene included.')),
  threshold: share
    .default(0.5)
    .meta(
      about(
        'budget',
        'Share of what `max_output_tokens` leaves of the window at which making room starts. The start is at least 64,000 tokens, or 85 % of what is left where that is out of reach, and at most 95 % of what may be sent; `palimpsest models` prints it.',
        0.5,
        0.75,
      ),
    ),
  model_thresholds: z
    .record(z.string().min(1), share)
    .default({})
    .meta(
      about(
        'budget',
        'Other thresholds by model. A key is a part of the model name, or `provider:part`; the longest match wins. What holds of `threshold` holds of them.',
        {
          'claude-opus': 0.6,
          'openai:gpt-5': 0.7,
        },
      ),
    ),
  small_context_floor: z
    .boolean()
    .default(true)
    .meta(about('budget', 'Below a window of 512,000 tokens every threshold is raised to 0.75: a smaller one has no effect there.')),
  threshold_tokens: tokens
    .nullable()
    .default(null)
    .meta(about('budget', 'Never start later than at this many tokens, the 64,000 included; null: no such cap.', 256_000)),
});

const compaction = z.strictObject({
  strategy: z.enum(['context-full', 'off']).default('context-full').meta(about('maintenance', '`off`: nothing makes room by itself.')),
  auto_continue: z.boolean().default(true).meta(about('kernel', 'Go on by itself, once, after a turn that was cut short.')),
  keep_recent_tokens: tokens
    .nullable()
    .default(null)
    .meta(about('maintenance', 'Newest tokens that a compaction keeps whole; null: as the engine is set.', 20_000)),
});

const hygiene = z.strictObject({
  enabled: z.boolean().default(true).meta(about('kernel', 'Check the branch for every message that comes in, before the turn.')),
});

const marks = z
  .strictObject({
    low: tokens.optional().meta(about('budget', 'Making room stops below this.', 60_000)),
    prepare: tokens.optional().meta(about('budget', 'Background preparation may start.', 80_000)),
    start: tokens.optional().meta(about('budget', 'Making room starts.', 100_000)),
    hard: tokens.optional().meta(about('budget', 'Making room can no longer wait.', 150_000)),
  })
  .superRefine((value, found) => {
    const problem = marksProblem(value);
    if (problem !== null) found.addIssue({ code: 'custom', path: [problem.key], message: problem.text });
  });
const budget = z.strictObject({
  marks: marks.default({}).meta(about('budget', 'Absolute marks in tokens of the whole request; each beats the policy.')),
});

const model = z
  .strictObject({
    provider: z
      .string()
      .min(1)
      .meta(
        about(
          'models',
          'Who serves it, and how it is spoken to.',
          'openai',
          'openai-responses',
          'anthropic',
          'openai-compatible',
          'scripted',
        ),
      ),
    model: z
      .string()
      .min(1)
      .optional()
      .meta(about('models', "The provider's name for it. Needed by every provider but `scripted`.", 'claude-sonnet-4-5', 'gpt-5')),
    base_url: z
      .string()
      .min(1)
      .optional()
      .meta(about('models', "Address of the service, if not the provider's own.", 'http://127.0.0.1:11434/v1')),
    api_key: z
      .string()
      .min(1)
      .optional()
      .meta(about('models', 'Secret; write `${env:NAME}`.', '${env:OPENAI_API_KEY}')),
    window_tokens: tokens.optional().meta(about('budget', 'Context window; beats what the catalog knows.', 200_000)),
    max_output_tokens: tokens.optional().meta(about('models', 'Output limit that is sent with every call.', 8_000)),
    script: z
      .union([path, z.array(z.unknown()).min(1)])
      .optional()
      .meta(
        about(
          'models',
          'For `scripted`: a JSON file, or the answers themselves; docs/scripted-models.md says how they are written.',
          'answers.json',
          [{ text: 'Hello.' }],
        ),
      ),
  })
  .superRefine((value, found) => {
    for (const { key, problem } of modelProblems(value)) found.addIssue({ code: 'custom', path: [key], message: problem });
  })
  .meta({ description: 'One model, under a name of your choice.' });

const agent = z.strictObject({
  model: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .meta(about('runtime', 'Name under `models`; null: the host passes one.', 'main')),
  max_steps: z
    .number()
    .int()
    .positive()
    .default(50)
    .meta(about('kernel', 'Most model calls in one turn.', 50)),
});

const store = z.strictObject({
  path: path
    .nullable()
    .default(null)
    .meta(
      about(
        'store',
        "Database file, relative to the file that says so; null: the host's default, in the user's data folder.",
        'sessions.db',
      ),
    ),
  durability: z
    .enum(['full', 'normal'])
    .default('full')
    .meta(about('store', '`full` survives a power cut; `normal` is faster and survives a crash of the process.')),
});

const prompt = z.strictObject({
  system: z
    .string()
    .default('')
    .meta(about('prompt', "The operator's system text; empty: the built-in line.", 'Answer briefly.')),
});

export const configSchema = z.strictObject({
  context: context.prefault({}).meta({ description: 'Which engine chooses what the model is shown.' }),
  compression: compression
    .prefault({})
    .meta({ description: 'When to make room, and the options of the built-in engine (the same as `context.engines.compressor`).' }),
  compaction: compaction.prefault({}).meta({ description: 'How room is made.' }),
  hygiene: hygiene.prefault({}).meta({ description: 'The check before a turn.' }),
  budget: budget.prefault({}).meta({ description: 'What a request has to fit.' }),
  models: z
    .record(z.string().min(1), model)
    .default({})
    .meta(
      about('models', 'Models by the name that `agent.model` picks.', {
        main: { provider: 'anthropic', model: 'claude-sonnet-4-5', api_key: '${env:ANTHROPIC_API_KEY}' },
      }),
    ),
  agent: agent.prefault({}).meta({ description: 'The loop.' }),
  prompt: prompt.prefault({}).meta({ description: 'What stands before the conversation.' }),
  store: store.prefault({}).meta({ description: 'Where sessions live.' }),
  plugins: z
    .array(packageName)
    .default([])
    .meta(about('plugins', 'Installed packages that may register engines.', ['@acme/palimpsest-engine'])),
});
export type ConfigDocument = z.output<typeof configSchema>;

/** Marks that are set have to rise; the ones between are the policy's business. */
function marksProblem(marks: { readonly [mark in 'low' | 'prepare' | 'start' | 'hard']?: number | undefined }): {
  readonly key: string;
  readonly text: string;
} | null {
  const set = (['low', 'prepare', 'start', 'hard'] as const).flatMap((key) =>
    marks[key] === undefined ? [] : [{ key, tokens: marks[key] }],
  );
  for (const [index, mark] of set.entries()) {
    const below = set[index - 1];
    if (below !== undefined && mark.tokens <= below.tokens)
      return { key: mark.key, text: `has to be above budget.marks.${below.key} (${String(below.tokens)})` };
  }
  return null;
}

type ModelKeys = 'model' | 'script' | 'base_url' | 'max_output_tokens';
/** What no single key can tell. */
function modelProblems(
  value: Readonly<Partial<Record<string, unknown>>>,
): readonly { readonly key: ModelKeys; readonly problem: string }[] {
  const scripted = value['provider'] === 'scripted';
  const { window_tokens: window, max_output_tokens: output } = value;
  return [
    ...(scripted && value['script'] === undefined ? [{ key: 'script', problem: 'provider "scripted" needs a script' } as const] : []),
    ...(!scripted && value['script'] !== undefined ? [{ key: 'script', problem: 'only provider "scripted" reads a script' } as const] : []),
    ...(value['provider'] === 'openai-compatible' && value['base_url'] === undefined
      ? [{ key: 'base_url', problem: 'this provider needs an address' } as const]
      : []),
    ...(!scripted && value['model'] === undefined
      ? [{ key: 'model', problem: 'this provider needs to be told which model' } as const]
      : []),
    ...(typeof value['base_url'] === 'string' ? addressProblems(value['base_url']) : []),
    ...(typeof window === 'number' && typeof output === 'number' && output >= window
      ? [{ key: 'max_output_tokens', problem: `has to be below window_tokens (${String(window)})` } as const]
      : []),
  ];
}

function addressProblems(address: string): readonly { readonly key: 'base_url'; readonly problem: string }[] {
  // Filled in, or refused, when the model is opened.
  if (/\$\{env:/u.test(address)) return [];
  const url = URL.parse(address);
  if (url === null || !/^https?:$/u.test(url.protocol)) return [{ key: 'base_url', problem: 'not an http or https address' }];
  return url.username === '' && url.password === ''
    ? []
    : [{ key: 'base_url', problem: 'credentials do not belong in an address; use api_key' }];
}
