import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errors, isPalimpsestError, type EngineDefinition } from '@palimpsest/contracts';
import type { EngineRegistry } from './engine-registry.ts';
import { isDefinition } from './load-engine.ts';

export interface PackageOptions {
  /** What the configuration lists under `plugins`. */
  readonly names: readonly string[];
  /** Packages are looked for in this folder's `node_modules`, and above. Their code runs: the caller vouches for the folder. */
  readonly from: string;
  readonly registry: EngineRegistry;
}

/**
 * Runs the listed packages and registers the engines they export as default: one definition, or a list. Nothing becomes active by it.
 * @throws PLUGIN_NOT_INSTALLED, PLUGIN_LOAD_FAILED for the first package that breaks, or exports no definition. ENGINE_NAME_TAKEN.
 */
export async function registerPackages({ names, from, registry }: PackageOptions): Promise<void> {
  for (const name of names) for (const definition of await definitionsOf(name, from)) registry.register(definition);
}

async function definitionsOf(name: string, from: string): Promise<readonly EngineDefinition[]> {
  let file = name;
  try {
    file = fileOf(name, from);
    const { default: exported } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
    const definitions: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
    if (definitions.length === 0 || !definitions.every(isDefinition))
      throw new TypeError('its default export is no engine definition and no list of them');
    return definitions;
  } catch (thrown) {
    throw isPalimpsestError(thrown) ? thrown : errors.pluginLoadFailed(name, file, thrown);
  }
}

function fileOf(name: string, from: string): string {
  try {
    return createRequire(join(from, 'palimpsest.yaml')).resolve(name);
  } catch (thrown) {
    throw thrown instanceof Error && 'code' in thrown && thrown.code === 'MODULE_NOT_FOUND'
      ? errors.pluginNotInstalled(name, from, thrown)
      : thrown;
  }
}
