import { lstat, stat } from 'node:fs/promises';
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

/** The engine of a plugin folder. Its code runs: for its author. @throws USAGE_INVALID, PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED. */
export async function openPlugin(folder: string, provided: Provided): Promise<EngineDefinition> {
  return loadDefinition(await pluginNamed(folder), provided);
}

/** {@link pluginAt} of a folder that somebody typed. @throws USAGE_INVALID where it is none of a plugin, PLUGIN_MANIFEST_INVALID. */
export async function pluginNamed(folder: string): Promise<PluginFolder> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const isPlugin =
    isFolder &&
    (await lstat(join(folder, MANIFEST_FILE)).then(
      () => true,
      () => false,
    ));
  if (!isPlugin)
    throw errors.usageInvalid(
      isFolder ? `${folder} holds no ${MANIFEST_FILE}.` : `${folder} is no folder.`,
      `Name the folder that holds ${MANIFEST_FILE}; a new one: palimpsest engine new NAME`,
    );
  return pluginAt(folder);
}
