import { inOrder, inspectConfig, loadConfig, type Config, type Fault, type LoadOptions } from '@palimpsest/config';
import { surroundings, type Surroundings } from './adapters/surroundings.ts';
import { ownEngines } from './own-engines.ts';
import { loadedPlugins, lookedUpEngines, modelFaults } from './reports/references.ts';
import { providers } from './session/models.ts';

/** Reads every layer and checks it; opens nothing else. @throws CONFIG_*. */
export function checkConfig(file?: string): Promise<Config> {
  return loadConfig(optionsFor(surroundings(), file));
}

export interface ConfigFindings {
  /** The files that were read, lowest layer first; empty where the layers could not be put together. */
  readonly files: readonly string[];
  readonly faults: readonly Fault[];
}

/** All that is wrong with the configuration; where nothing is, all that it names and that is not there: models, variables, scripts, engines, plugins. @throws CONFIG_UNREADABLE. */
export async function configFindings(file?: string): Promise<ConfigFindings> {
  const around = surroundings();
  const { config, faults } = await inspectConfig(optionsFor(around, file));
  if (config === null) return { files: [], faults };
  const plugins = await loadedPlugins(config, around);
  const engines = await lookedUpEngines(config, around, plugins.registry);
  return { files: config.files, faults: inOrder([...(await modelFaults(config)), ...engines.faults, ...plugins.faults]) };
}

function optionsFor(around: Surroundings, file: string | undefined): LoadOptions {
  return { ...around, ...(file === undefined ? {} : { file }), known: { engines: ownEngines, providers } };
}
