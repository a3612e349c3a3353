import { compressor } from '@palimpsest/engine-compressor';
import { inspectConfig, loadConfig, type Config, type Fault, type LoadOptions } from '@palimpsest/config';
import { providers } from './session/models.ts';
import { surroundings } from './adapters/surroundings.ts';

/** Reads every layer and checks it; opens nothing else. @throws CONFIG_*. */
export function checkConfig(file?: string): Promise<Config> {
  return loadConfig(optionsFor(file));
}

export interface ConfigFindings {
  /** The files that were read, lowest layer first; empty where the layers could not be put together. */
  readonly files: readonly string[];
  readonly faults: readonly Fault[];
}

/** All that is wrong with the configuration, and what it needs and does not find. @throws CONFIG_UNREADABLE. */
export async function configFindings(file?: string): Promise<ConfigFindings> {
  const { config, faults } = await inspectConfig(optionsFor(file));
  if (config === null) return { files: [], faults };
  return { files: config.files, faults: Object.values(config.models).flatMap(({ unset }) => unset) };
}

function optionsFor(file: string | undefined): LoadOptions {
  return { ...surroundings(), ...(file === undefined ? {} : { file }), known: { engines: [compressor], providers } };
}
