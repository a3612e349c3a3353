import { errors, isPalimpsestError, messageOf, type EngineDefinition, type Resolution } from '@palimpsest/contracts';
import { faultsIn, nearestKey, type Config, type Fault } from '@palimpsest/config';
import { BUILT_IN_NAME, registerPackages, type EngineRegistry } from '@palimpsest/plugins';
import type { Surroundings } from '../adapters/surroundings.ts';
import { lookUpEngine, ownRegistry } from '../own-engines.ts';
import { readScript } from '../session/script.ts';

/** What a configuration names outside of itself, and whether it is there. Plugins run, as they would in a session; the store stays closed. */

/** Every package that loads is registered; each of the others is a fault. */
export async function loadedPlugins(
  config: Pick<Config, 'plugins' | 'faultAt'>,
  { userDir }: Pick<Surroundings, 'userDir'>,
): Promise<{ readonly registry: EngineRegistry; readonly faults: readonly Fault[] }> {
  const registry = ownRegistry();
  const faults: Fault[] = [];
  for (const [index, name] of config.plugins.entries()) {
    await registerPackages({ names: [name], from: userDir, registry }).catch((error: unknown) => {
      faults.push(config.faultAt(['plugins', index], messageOf(error)));
    });
  }
  return { registry, faults };
}

/** The chosen engine, loaded and with its options checked. A stand-in is a fault; so is an engine that has options and is nowhere. */
export async function lookedUpEngines(
  config: Config,
  around: Surroundings,
  registry: EngineRegistry,
): Promise<{ readonly resolution: Resolution; readonly faults: readonly Fault[] }> {
  const { engine } = config.context;
  const chosen = await look(engine, around, registry);
  const others = Object.keys((config.origins('context.engines')?.value ?? {}) as object).filter(
    (name) => name !== engine && name !== BUILT_IN_NAME,
  );
  const faults = [...standInFaults(config, chosen.resolution, ['context', 'engine'], registry), ...optionFaults(config, engine, chosen)];
  for (const name of others) {
    const other = await look(name, around, registry);
    faults.push(...standInFaults(config, other.resolution, ['context', 'engines', name], registry), ...optionFaults(config, name, other));
  }
  return { resolution: chosen.resolution, faults };
}

interface Looked {
  readonly definition: EngineDefinition;
  readonly resolution: Resolution;
}

async function look(name: string, around: Surroundings, registry: EngineRegistry): Promise<Looked> {
  return (await lookUpEngine(name, { around, registry, onFailure: 'fallback' })).load();
}

function standInFaults(
  config: Config,
  { asked, substituted, lookups }: Resolution,
  path: string[],
  registry: EngineRegistry,
): readonly Fault[] {
  if (!substituted) return [];
  const { message } = errors.engineUnknown(
    asked,
    lookups.map(({ place, why }) => `${place} (${why})`),
  );
  return [config.faultAt(path, message, nearestKey(asked, [BUILT_IN_NAME, ...registry.names()]))];
}

function optionFaults(config: Config, name: string, { definition, resolution }: Looked): readonly Fault[] {
  if (resolution.substituted) return [];
  try {
    config.context.engineOptions(name).parse(definition);
    return [];
  } catch (error) {
    return isPalimpsestError(error, 'CONFIG_INVALID') ? faultsIn(error) : [config.faultAt(['context', 'engines', name], messageOf(error))];
  }
}

/** `agent.model`, and what each model needs: variables, and the file of a script. */
export async function modelFaults(config: Config): Promise<readonly Fault[]> {
  const { model: chosen } = config.agent;
  const names = Object.keys(config.models);
  const faults =
    chosen === null || names.includes(chosen)
      ? []
      : [
          config.faultAt(
            ['agent', 'model'],
            `no such model; known under models: ${names.length === 0 ? 'none' : names.join(', ')}`,
            nearestKey(chosen, names),
          ),
        ];
  for (const [name, { unset }] of Object.entries(config.models)) faults.push(...unset, ...(await scriptFaults(config, name)));
  return faults;
}

export async function scriptFaults(config: Config, name: string): Promise<readonly Fault[]> {
  if (config.models[name]?.unset.some(({ path }) => path.endsWith('.script')) === true) return [];
  return readScript(config, name).then(
    ({ faults }) => faults,
    (error: unknown) => [config.faultAt(['models', name, 'script'], messageOf(error))],
  );
}
