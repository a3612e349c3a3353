/** The entry `@palimpsest/runtime/authoring`: what an author does with a plugin, and an operator who trusts one. */
import { join } from 'node:path';
import type { EngineDefinition, EngineManifest } from '@palimpsest/contracts';
import { newPlugin, openPlugin as open, pluginAt, syncManifest, type Synced } from '@palimpsest/plugins';
import { surroundings } from './adapters/surroundings.ts';
import { provided, trustedFolders } from './own-engines.ts';

const PLACE = join('plugins', 'context_engine');

export interface TrustedPlugin extends Pick<EngineManifest, 'name' | 'version' | 'description' | 'needs' | 'permissions'> {
  /** Its real path. */
  readonly folder: string;
  /** Of the content of all of its files: what is trusted. */
  readonly hash: string;
}

/** Trusts a plugin of the project as it is now. None of its code runs. @throws PLUGIN_MANIFEST_INVALID, PLUGIN_UNREADABLE, TRUST_FILE_INVALID. */
export async function trustPlugin(name: string, projectDir?: string): Promise<TrustedPlugin> {
  const around = surroundings(projectDir);
  const { folder, manifest } = await pluginAt(join(around.projectDir, PLACE, name));
  const hash = await trustedFolders(around).trust(folder);
  const { version, description, needs, permissions } = manifest;
  return { name, version, description, needs, permissions, folder, hash };
}

/** Takes the trust back. False: there was none. @throws PLUGIN_MANIFEST_INVALID, TRUST_FILE_INVALID. */
export async function distrustPlugin(name: string, projectDir?: string): Promise<boolean> {
  const around = surroundings(projectDir);
  const { folder } = await pluginAt(join(around.projectDir, PLACE, name));
  return trustedFolders(around).forget(folder);
}

/** The engine of a plugin folder; its code runs. @throws PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED, USAGE_INVALID. */
export function openPlugin(folder: string): Promise<EngineDefinition> {
  return open(folder, provided);
}

/** Writes the options of the author's schema into `plugin.yaml`; its code runs. */
export function syncPlugin(folder: string): Promise<Synced> {
  return syncManifest(folder, provided);
}

/** A plugin that passes the kit, in the project's folder for plugins or in `parent`. @throws USAGE_INVALID. */
export function createPlugin(name: string, parent?: string): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  return newPlugin(name, parent ?? join(surroundings().projectDir, PLACE));
}
