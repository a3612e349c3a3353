import { engineManifest, errors, type EngineDefinition } from '@palimpsest/contracts';
import { manifestProblem } from './manifest-problem.ts';

/** The name that always means the built-in engine. */
export const BUILT_IN_NAME = 'compressor';

/** Engines that a host or a plugin package registered, by name. A name is given once: nobody replaces an engine unnoticed. */
export class EngineRegistry {
  readonly #definitions = new Map<string, EngineDefinition>();

  /** @throws ENGINE_NAME_TAKEN, PLUGIN_MANIFEST_INVALID. */
  register(definition: EngineDefinition): void {
    const { name } = checkedManifest(definition);
    if (name === BUILT_IN_NAME) throw errors.engineNameTaken(name, 'the built-in engine');
    const other = this.#definitions.get(name);
    if (other !== undefined) throw errors.engineNameTaken(name, `version ${other.manifest.version}, registered before`);
    this.#definitions.set(name, definition);
  }

  get(name: string): EngineDefinition | null {
    return this.#definitions.get(name) ?? null;
  }

  /** In the order of registration. */
  names(): readonly string[] {
    return [...this.#definitions.keys()];
  }
}

function checkedManifest(definition: EngineDefinition): EngineDefinition['manifest'] {
  const result = engineManifest.safeParse(definition.manifest);
  const issue = result.error?.issues[0];
  const problem = issue === undefined ? manifestProblem(definition.manifest) : `${issue.path.map(String).join('.')}: ${issue.message}`;
  if (problem !== null)
    throw errors.pluginManifestInvalid(`registered engine ${String((definition.manifest as { readonly name?: unknown }).name)}`, problem);
  if (typeof definition.factory !== 'function')
    throw errors.pluginManifestInvalid(`registered engine ${definition.manifest.name}`, 'its factory is no function');
  return definition.manifest;
}
