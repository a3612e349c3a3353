import { resolve } from 'node:path';
import type { AgentSettings, BudgetSettings, Json, MaintenanceSettings, PromptSettings, StoreSettings } from '@palimpsest/contracts';
import { stepToSet, unsetOf } from './environment.ts';
import { configError, type Fault } from './faults.ts';
import { nodeAt, type Located } from './located.ts';
import type { ConfigDocument } from './schema.ts';

/** One entry of `models`. Null: not set. */
export interface ModelSettings {
  readonly provider: string;
  readonly model: string | null;
  readonly baseUrl: string | null;
  /** Secret. */
  readonly apiKey: string | null;
  readonly windowTokens: number | null;
  readonly maxOutputTokens: number | null;
  /** For the scripted provider: an absolute file, or the answers themselves. */
  readonly script: { readonly file: string } | { readonly answers: readonly Json[] } | null;
  /** The values that name a variable which is not set: they read as written, and {@link requireSet} refuses them. */
  readonly unset: readonly Fault[];
}

/** For whoever opens a model. @throws CONFIG_INVALID with the place of each value whose variable is not set. */
export function requireSet(settings: ModelSettings): ModelSettings {
  if (settings.unset.length > 0) throw configError(settings.unset, stepToSet(settings.unset));
  return settings;
}

/** Every section in the form its package takes. */
export interface Sections {
  readonly agent: AgentSettings;
  readonly budget: BudgetSettings;
  readonly maintenance: MaintenanceSettings;
  readonly prompt: PromptSettings;
  /** `path` null: the caller's default. */
  readonly store: { readonly path: string | null; readonly durability: StoreSettings['durability'] };
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly plugins: readonly string[];
}

/** `root` is asked for the folder that a relative path starts at: that of the file which wrote it. */
export function sectionsOf(document: ConfigDocument, root: Located): Sections {
  const { agent, prompt, store, models, plugins } = document;
  const unset = unsetOf(root);
  const file = (path: string, ...at: string[]): string => resolve(nodeAt(root, at)?.source.folder ?? '', path);
  return {
    agent: { model: agent.model, maxSteps: agent.max_steps },
    budget: budgetOf(document),
    maintenance: maintenanceOf(document),
    prompt: { system: prompt.system },
    store: { path: store.path === null ? null : file(store.path, 'store', 'path'), durability: store.durability },
    models: Object.fromEntries(
      Object.entries(models).map(([name, model]) => [
        name,
        { ...modelOf(model, (path) => file(path, 'models', name, 'script')), unset: unset.get(name) ?? [] },
      ]),
    ),
    plugins,
  };
}

function budgetOf({ compression, budget }: ConfigDocument): BudgetSettings {
  return {
    threshold: compression.threshold,
    modelThresholds: compression.model_thresholds,
    smallContextFloor: compression.small_context_floor,
    thresholdTokens: compression.threshold_tokens,
    marks: Object.fromEntries(Object.entries(budget.marks).filter(([, tokens]) => tokens !== undefined)),
  };
}

/** Off means off: neither switch leaves hygiene running. */
function maintenanceOf({ compression, compaction, hygiene }: ConfigDocument): MaintenanceSettings {
  const enabled = compression.enabled && compaction.strategy !== 'off';
  return {
    enabled,
    autoContinue: compaction.auto_continue,
    keepRecentTokens: compaction.keep_recent_tokens,
    hygieneEnabled: enabled && hygiene.enabled,
  };
}

function modelOf(model: ConfigDocument['models'][string], file: (path: string) => string): Omit<ModelSettings, 'unset'> {
  return {
    provider: model.provider,
    model: model.model ?? null,
    baseUrl: model.base_url ?? null,
    apiKey: model.api_key ?? null,
    windowTokens: model.window_tokens ?? null,
    maxOutputTokens: model.max_output_tokens ?? null,
    script: scriptOf(model.script, file),
  };
}

function scriptOf(script: string | unknown[] | undefined, file: (path: string) => string): ModelSettings['script'] {
  if (script === undefined) return null;
  return typeof script === 'string' ? { file: file(script) } : { answers: script as Json[] };
}
