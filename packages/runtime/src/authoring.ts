/** The entry `@palimpsest/runtime/authoring`: what an author does with a plugin, and an operator who trusts one. */
import { isAbsolute, join, sep } from 'node:path';
import { isPalimpsestError, unwritable, type EngineDefinition, type EngineManifest } from '@palimpsest/contracts';
import { newPlugin, openPlugin as open, pluginAt, requireEngineName, syncManifest, type Synced } from '@palimpsest/plugins';
import { makeFolder } from './adapters/disk.ts';
import { endOfLinks } from './adapters/end-of-links.ts';
import { surroundings, type Surroundings } from './adapters/surroundings.ts';
import { provided, trustedFolders } from './own-engines.ts';

const PLACE = join('plugins', 'context_engine');

export interface TrustedPlugin extends Pick<EngineManifest, 'name' | 'version' | 'description' | 'needs' | 'permissions'> {
  /** Its real path. */
  readonly folder: string;
  /** Of the content of all of its files: what is trusted. */
  readonly hash: string;
}

/** Trusts a plugin of the project as it is now. None of its code runs. @throws PLUGIN_MANIFEST_INVALID, PLUGIN_UNREADABLE, TRUST_FILE_INVALID, FILE_*. */
export async function trustPlugin(name: string, projectDir?: string): Promise<TrustedPlugin> {
  const around = surroundings(projectDir);
  const { folder, manifest } = await pluginAt(join(around.projectDir, PLACE, name));
  const hash = await writing(around.userDir, async () => {
    await makeFolder(around.userDir, 0o700);
    return trustedFolders(around).trust(folder);
  });
  const { version, description, needs, permissions } = manifest;
  return { name, version, description, needs, permissions, folder, hash };
}

export interface DistrustedPlugin {
  /** The real path of the folder that was looked for, whether or not it is still there. */
  readonly folder: string;
  /** False: it was not trusted. */
  readonly was: boolean;
  /** What is still trusted. */
  readonly trusted: readonly string[];
}

/** Takes the trust back, also of what is gone or broken. `name` is that of a plugin of the project, or a folder. @throws TRUST_FILE_INVALID, FILE_*. */
export async function distrustPlugin(name: string, projectDir?: string): Promise<DistrustedPlugin> {
  const around = surroundings(projectDir);
  const folder = await endOfLinks(placeOf(name, around));
  const trusted = trustedFolders(around);
  const was = await writing(around.userDir, () => trusted.forget(folder));
  return { folder, was, trusted: await trusted.folders() };
}

function placeOf(name: string, { projectDir }: Pick<Surroundings, 'projectDir'>): string {
  if (isAbsolute(name)) return name;
  return name.includes(sep) ? join(projectDir, name) : join(projectDir, PLACE, name);
}

/** What the system says of a place that cannot be written to becomes an error of ours. */
async function writing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isPalimpsestError(error) ? error : unwritable(place, error);
  }
}

/** The engine of a plugin folder; its code runs. @throws PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED, USAGE_INVALID. */
export function openPlugin(folder: string): Promise<EngineDefinition> {
  return open(folder, provided);
}

/** Writes the options of the author's schema into `plugin.yaml`; its code runs. */
export function syncPlugin(folder: string): Promise<Synced> {
  return syncManifest(folder, provided);
}

/** A plugin that passes the kit, in the project's folder for plugins or in `parent`. @throws USAGE_INVALID, FILE_*. */
export async function createPlugin(name: string, parent?: string): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  const place = parent ?? join(surroundings().projectDir, PLACE);
  requireEngineName(name);
  await writing(place, () => makeFolder(place));
  return newPlugin(name, place);
}
