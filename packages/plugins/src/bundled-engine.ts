import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errors, messageOf, type EngineDefinition } from '@palimpsest/contracts';
import { definitionOf } from './load-engine.ts';
import { manifestProblem } from './manifest-problem.ts';
import { parseManifest } from './manifest.ts';

/**
 * An engine that comes along: its `plugin.yaml` is read and checked like a stranger's, and says what the engine is; its module, which the
 * host has imported already, has to agree.
 * @throws PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED.
 */
export function bundledEngine(manifestUrl: string | URL, exported: unknown): EngineDefinition {
  const file = fileURLToPath(manifestUrl);
  const manifest = parseManifest(textOf(file), file);
  const problem = manifestProblem(manifest);
  if (problem !== null) throw errors.pluginManifestInvalid(file, problem);
  try {
    return definitionOf(exported, manifest);
  } catch (thrown) {
    throw errors.pluginLoadFailed(manifest.name, file, thrown);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw errors.pluginManifestInvalid(file, `cannot be read: ${messageOf(thrown)}`);
  }
}
