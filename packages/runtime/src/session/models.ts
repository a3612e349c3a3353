import { errors } from '@palimpsest/contracts';
import type { Clock, Model, RouteLimits } from '@palimpsest/contracts';
import { requireSet, type Config, type ModelSettings } from '@palimpsest/config';
import { modelSettings, openModel } from '@palimpsest/models';
import { checkedScript } from './script.ts';

/** What an unknown model is taken to hold: conservative, visible in every budget as `unknown`. */
const UNKNOWN_WINDOW_TOKENS = 128_000;

/** What `models.<name>.provider` may say. */
export const providers: readonly string[] = modelSettings.shape.provider.options;

export interface ChosenModel {
  readonly model: Model;
  readonly limits: RouteLimits;
}

/** The model `agent.model` names: a ready one of the host (its limits come from the entry of its name under `models`), else one of `models`. @throws MODEL_UNKNOWN; CONFIG_* where its settings name a variable that is not set, or its script cannot be read. */
export async function chooseModel(config: Config, ready: Readonly<Record<string, Model>>, clock: Clock): Promise<ChosenModel> {
  const known = [...new Set([...Object.keys(ready), ...Object.keys(config.models)])];
  const name = config.agent.model ?? (known.length === 1 ? known[0] : undefined);
  if (name === undefined) throw errors.modelUnknown('(none chosen)', known);
  const settings = config.models[name];
  const given = ready[name];
  if (given === undefined && settings === undefined) throw errors.modelUnknown(name, known);
  const model = given ?? (await openModel(settings === undefined ? {} : await definedOnly(config, name, settings), { clock }));
  return { model, limits: limitsOf(settings?.windowTokens ?? null, settings?.maxOutputTokens ?? null) };
}

export function limitsOf(windowTokens: number | null, maxOutputTokens: number | null): RouteLimits {
  const window =
    windowTokens === null
      ? { tokens: UNKNOWN_WINDOW_TOKENS, origin: 'unknown' as const }
      : { tokens: windowTokens, origin: 'config' as const };
  return { window, maxOutputTokens, inputCap: null };
}

/** The settings as `models` takes them: what is not set is left out, a script file is read. */
async function definedOnly(config: Config, name: string, settings: ModelSettings): Promise<Record<string, unknown>> {
  const { script, unset: _, ...rest } = requireSet(settings);
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return script === null ? set : { model: 'scripted', ...set, script: await checkedScript(config, name) };
}
