import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { errors, messageOf, unwritable, type EngineManifest, type Json } from '@palimpsest/contracts';
import { loadDefinition } from '../load-engine.ts';
import type { Provided } from '../plugin-modules.ts';
import { MANIFEST_FILE } from '../manifest.ts';
import { pluginNamed } from './open-plugin.ts';

export interface Synced {
  readonly file: string;
  readonly changed: boolean;
  readonly options: EngineManifest['options'];
}

/**
 * Writes the options of the author's schema into `plugin.yaml`; everything else in the file stays as it is, comments
 * included. Runs the plugin: for its author. @throws USAGE_INVALID, PLUGIN_MANIFEST_INVALID, PLUGIN_LOAD_FAILED.
 */
export async function syncManifest(folder: string, provided: Provided): Promise<Synced> {
  const found = await pluginNamed(folder);
  const definition = await loadDefinition(found, provided);
  const file = join(found.folder, MANIFEST_FILE);
  const before = await readFile(file, 'utf8');
  const after = synced(before, file, definition.manifest);
  if (after !== before) await replace(file, after);
  return { file, changed: after !== before, options: definition.manifest.options };
}

/** Pure. @throws PLUGIN_MANIFEST_INVALID. */
export function synced(text: string, file: string, { options }: Pick<EngineManifest, 'options'>): string {
  const document = parseDocument(text);
  if (document.errors[0] !== undefined) throw errors.pluginManifestInvalid(file, messageOf(document.errors[0]));
  const written = (document.toJS() as { readonly options?: Json }).options;
  if (JSON.stringify(written) === JSON.stringify(options)) return text;
  document.set('options', document.createNode(options));
  return document.toString({ lineWidth: 0 });
}

/** Whole or not at all; a link stays one, and the mode what it was. @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
async function replace(file: string, text: string): Promise<void> {
  const place = await realpath(file);
  const fresh = `${place}.new`;
  try {
    await writeFile(fresh, text);
    await chmod(fresh, (await stat(place)).mode & 0o7777);
    await rename(fresh, place);
  } catch (thrown) {
    throw unwritable(file, thrown);
  } finally {
    await rm(fresh, { force: true });
  }
}
