import { pathToFileURL } from 'node:url';
import { errors, parsedOptions, type EngineDefinition, type EngineFactory, type EngineManifest } from '@palimpsest/contracts';
import { optionsSchema } from './options.ts';
import { mainFile, type PluginFolder } from './plugin-folder.ts';
import type { Provided } from './plugin-modules.ts';
import { folderHash } from './trust/folder-hash.ts';

/** Runs the plugin's main module, JavaScript or TypeScript: the first of its code that runs. Under its folder's name. @throws PLUGIN_LOAD_FAILED. */
export async function loadDefinition({ folder, main, manifest, name }: PluginFolder, provided: Provided = {}): Promise<EngineDefinition> {
  try {
    // Only now: an older Node cannot link it, and is to be told so by the host.
    const { teach } = await import('./plugin-modules.ts');
    const fresh = teach(folder, provided, await contentOf(folder));
    // Looked at again: the folder may have changed since it was inspected.
    const file = await mainFile(folder, manifest.main);
    const module = (await import(fresh(pathToFileURL(file).href))) as { readonly default?: unknown };
    const definition = definitionOf(module.default, manifest);
    return name === manifest.name ? definition : { ...definition, manifest: { ...definition.manifest, name } };
  } catch (thrown) {
    throw errors.pluginLoadFailed(manifest.name, main, thrown);
  }
}

let unhashed = 0;
/** Stands for the folder's content. One that cannot be hashed is never taken for what it was: only a project's has to be. */
const contentOf = (folder: string): Promise<string> => folderHash(folder).catch(() => `unhashed-${String((unhashed += 1))}`);

/** A bare factory takes its options by the manifest's schema; a definition brings its own check. @throws Error. */
export function definitionOf(exported: unknown, manifest: EngineManifest): EngineDefinition {
  if (typeof exported === 'function') return withManifestOptions(exported as EngineFactory<never>, manifest);
  if (!isDefinition(exported)) throw new TypeError('its default export is neither an engine definition nor a factory function');
  const { name, version } = exported.manifest;
  if (name !== manifest.name || version !== manifest.version) {
    throw new TypeError(`plugin.yaml says ${manifest.name} ${manifest.version}, the module says ${name} ${version}`);
  }
  if (exported.parseOptions === undefined) return withManifestOptions(exported.factory, manifest);
  return { manifest: { ...manifest, options: exported.manifest.options }, factory: exported.factory, parseOptions: exported.parseOptions };
}

function withManifestOptions(factory: EngineFactory<never>, manifest: EngineManifest): EngineDefinition {
  const { schema, problem } = optionsSchema(manifest.options);
  if (schema === null) throw new TypeError(`options: ${problem}`);
  return { manifest, factory, parseOptions: (raw) => parsedOptions(schema, raw) };
}

/** By its shape: it may come from another copy of the kit. */
export function isDefinition(value: unknown): value is EngineDefinition {
  if (typeof value !== 'object' || value === null || !('factory' in value) || !('manifest' in value)) return false;
  const { factory, manifest } = value;
  const parse = 'parseOptions' in value ? value.parseOptions : undefined;
  return (
    typeof factory === 'function' &&
    typeof manifest === 'object' &&
    manifest !== null &&
    (parse === undefined || typeof parse === 'function')
  );
}
