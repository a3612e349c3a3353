/** The entry `@palimpsest/runtime/authoring`: what an author does with a plugin, and an operator who trusts one. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { errors, isPalimpsestError, unwritable, type EngineDefinition, type EngineManifest } from '@palimpsest/contracts';
import {
  newPlugin,
  nextSteps,
  openPlugin as open,
  pluginAt,
  PLUGINS_PLACE,
  requireEngineName,
  syncManifest,
  trustAdvice,
  type Synced,
} from '@palimpsest/plugins';
import { makeFolder } from './adapters/disk.ts';
import { endOfLinks } from './adapters/end-of-links.ts';
import { surroundings, type Surroundings } from './adapters/surroundings.ts';
import { sliding } from './compare/sliding.ts';
import { ownEngines, provided, trustedFolders } from './own-engines.ts';

export { requireEngineName } from '@palimpsest/plugins';

export interface TrustedPlugin extends Pick<EngineManifest, 'name' | 'version' | 'description' | 'needs' | 'permissions'> {
  /** Its real path. */
  readonly folder: string;
  /** Of the content of all of its files: what is trusted. */
  readonly hash: string;
}

/** Trusts a plugin of the project as it is now. None of its code runs. @throws USAGE_INVALID, PLUGIN_MANIFEST_INVALID, PLUGIN_UNREADABLE, TRUST_FILE_INVALID, FILE_*. */
export async function trustPlugin(name: string, projectDir?: string): Promise<TrustedPlugin> {
  const around = surroundings(projectDir);
  requirePluginOf(around.projectDir, name);
  const { folder, manifest } = await pluginAt(join(around.projectDir, PLUGINS_PLACE, name));
  const hash = await writing(around.userDir, async () => {
    await makeFolder(around.userDir, 0o700);
    return trustedFolders(around).trust(folder);
  });
  const { version, description, needs, permissions } = manifest;
  return { name, version, description, needs, permissions, folder, hash };
}

/** Trust goes by the name that a session will ask for. @throws USAGE_INVALID with what to run instead. */
function requirePluginOf(projectDir: string, name: string): void {
  const place = join(projectDir, PLUGINS_PLACE);
  const isPath = name.includes(sep) || /^\.*$/u.test(name);
  if (isPath) throw errors.usageInvalid(`"${name}" is no name of a plugin.`, trustAdvice(resolve(projectDir, name), projectDir));
  if (existsSync(join(place, name))) return;
  const above = ancestorsOf(projectDir)
    .map((folder) => join(folder, PLUGINS_PLACE, name))
    .find((folder) => existsSync(folder));
  throw errors.usageInvalid(
    `No plugin "${name}" in ${place}: no such folder.`,
    above === undefined ? `Run it in the project's folder, or begin one: palimpsest engine new ${name}` : trustAdvice(above, projectDir),
  );
}

function ancestorsOf(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...ancestorsOf(above)];
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
  return name.includes(sep) ? join(projectDir, name) : join(projectDir, PLUGINS_PLACE, name);
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

export interface CreatedPlugin {
  readonly folder: string;
  readonly files: readonly string[];
  /** What its author types next; the last one is a setting. */
  readonly next: readonly string[];
}

/** A plugin that passes the kit, in the project's folder for plugins or in `parent`. @throws USAGE_INVALID, ENGINE_NAME_TAKEN, FILE_*. */
export async function createPlugin(name: string, parent?: string): Promise<CreatedPlugin> {
  const around = surroundings();
  const place = parent ?? join(around.projectDir, PLUGINS_PLACE);
  requireEngineName(name);
  if ([...ownEngines, sliding].some(({ manifest }) => manifest.name === name))
    throw errors.engineNameTaken(name, 'an engine that comes along');
  await writing(place, () => makeFolder(place));
  const made = await newPlugin(name, place);
  return { ...made, next: nextSteps({ ...around, name, folder: made.folder }) };
}
