import type { LanguageModelV4 } from '@ai-sdk/provider';
import { errors } from '@palimpsest/contracts';
import type { Clock, Model, WireName } from '@palimpsest/contracts';
import { z } from 'zod';
import { ScriptedModel, scriptedReply } from './scripted-model.ts';
import { SdkModel } from './sdk-model.ts';

const tokens = z.number().int().positive();
const replies = z.array(scriptedReply).min(1);

/**
 * One model of a configuration. `windowTokens` and `maxOutputTokens` are for whoever budgets; the model sends what each request says.
 */
export const modelSettings = z.strictObject({
  provider: z.enum(['openai', 'openai-responses', 'anthropic', 'openai-compatible', 'scripted']),
  /** The provider's own id. */
  model: z.string().min(1),
  baseUrl: z.url().exactOptional(),
  /** Absent: the provider package looks for its usual environment variable when it is called. */
  apiKey: z.string().min(1).exactOptional(),
  /** For `scripted`. */
  script: z.union([replies, z.strictObject({ replies, at_end: z.enum(['loop', 'fail']).exactOptional() })]).exactOptional(),
  windowTokens: tokens.exactOptional(),
  maxOutputTokens: tokens.exactOptional(),
});
export type ModelSettings = z.infer<typeof modelSettings>;

export interface OpenModelDeps {
  /** Waits for scripted delays. */
  readonly clock: Clock;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * The model that settings describe. Loads only the provider package it needs and sends nothing.
 * @throws CONFIG_INVALID for an unknown provider, an unknown key or a missing one.
 */
export async function openModel(settings: unknown, deps: OpenModelDeps): Promise<Model> {
  const valid = validated(settings);
  const route = routeOf(valid);
  if (valid.provider === 'scripted') return scripted(valid, route, deps.clock);
  return new SdkModel(route, await providers[valid.provider](valid, deps.fetch));
}

const wires: Readonly<Record<ModelSettings['provider'], WireName>> = {
  openai: 'openai-chat',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  'openai-compatible': 'openai-chat',
  scripted: 'openai-chat',
};

/** `wire:provider/model`. Both OpenAI wires belong to one provider. */
export function routeOf({ provider, model }: Pick<ModelSettings, 'provider' | 'model'>): string {
  return `${wires[provider]}:${provider === 'openai-responses' ? 'openai' : provider}/${model}`;
}

type Make = (settings: ModelSettings, fetch: OpenModelDeps['fetch']) => Promise<LanguageModelV4>;
const providers: Readonly<Record<Exclude<ModelSettings['provider'], 'scripted'>, Make>> = {
  openai: async (settings, fetch) => (await import('@ai-sdk/openai')).createOpenAI(access(settings, fetch)).chat(settings.model),
  'openai-responses': async (settings, fetch) =>
    (await import('@ai-sdk/openai')).createOpenAI(access(settings, fetch)).responses(settings.model),
  anthropic: async (settings, fetch) => (await import('@ai-sdk/anthropic')).createAnthropic(access(settings, fetch))(settings.model),
  'openai-compatible': async (settings, fetch) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    if (settings.baseUrl === undefined) throw errors.configInvalid(null, 'baseUrl', 'is needed for provider openai-compatible');
    return createOpenAICompatible({
      ...access(settings, fetch),
      baseURL: settings.baseUrl,
      name: 'openai-compatible',
      includeUsage: true,
    }).chatModel(settings.model);
  },
};

function access(
  { baseUrl, apiKey }: ModelSettings,
  fetch: OpenModelDeps['fetch'],
): { baseURL?: string; apiKey?: string; fetch?: typeof globalThis.fetch } {
  return {
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(fetch === undefined ? {} : { fetch }),
  };
}

function scripted({ script }: ModelSettings, route: string, clock: Clock): Model {
  if (script === undefined) throw errors.configInvalid(null, 'script', 'is needed for provider scripted');
  return 'replies' in script
    ? new ScriptedModel(script.replies, clock, { route, ...(script.at_end === undefined ? {} : { atEnd: script.at_end }) })
    : new ScriptedModel(script, clock, { route });
}

function validated(settings: unknown): ModelSettings {
  const parsed = modelSettings.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw errors.configInvalid(null, issue?.path.map(String).join('.') || 'model', issue?.message ?? 'is invalid');
}
