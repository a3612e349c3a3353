import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, type EngineDefinition } from '@palimpsest/contracts';
import { loadDefinition } from '../load-engine.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { inspectFolder, type PluginFolder } from '../plugin-folder.ts';
import type { Provided } from '../plugin-modules.ts';

/** The plugin in a folder. None of its code runs. @throws PLUGIN_MANIFEST_INVALID with what is wrong. */
export async function pluginAt(folder: string): Promise<PluginFolder> {
  const found = await inspectFolder(folder);
  if ('absent' in found) throw errors.pluginManifestInvalid(join(folder, MANIFEST_FILE), found.absent);
  return found;
}

/** The engine of a plugin folder. Its code runs: for its author. @throws PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED. */
export async function openPlugin(folder: string, provided: Provided): Promise<EngineDefinition> {
  const isFolder = await stat(folder).then((found) => found.isDirectory(), () => false);
  if (!isFolder) throw errors.usageInvalid(`${folder} is no folder.`, 'Name the folder that holds plugin.yaml.');
  return loadDefinition(await pluginAt(folder), provided);
}
