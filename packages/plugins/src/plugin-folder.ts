import { lstat, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf, type EngineManifest } from '@palimpsest/contracts';
import { manifestProblem } from './manifest-problem.ts';
import { MANIFEST_FILE, readManifest } from './manifest.ts';

/** A plugin folder that could be loaded. Both paths are real ones: no link is left in them. */
export interface PluginFolder {
  readonly folder: string;
  readonly main: string;
  readonly manifest: EngineManifest;
  /** The folder's own name, by which it is asked for; where the manifest has another one, an alias of that. */
  readonly name: string;
}
export type Inspection = PluginFolder | { readonly absent: string };

/** Looks at a folder without running any of its code. Never throws: what is wrong is the reason why it does not count. */
export async function inspectFolder(path: string): Promise<Inspection> {
  try {
    if (!(await exists(path))) return { absent: 'no such folder' };
    if (!(await exists(join(path, MANIFEST_FILE)))) return { absent: `it has no ${MANIFEST_FILE}` };
    const folder = await realpath(path);
    const manifest = await readManifest(join(folder, MANIFEST_FILE));
    const problem = manifestProblem(manifest);
    return problem === null
      ? { folder, manifest, main: await mainFile(folder, manifest.main), name: basename(resolve(path)) }
      : { absent: problem };
  } catch (thrown) {
    return { absent: messageOf(thrown) };
  }
}

/** The real path of `main`, which has to lie inside the real folder, whatever links it goes through. @throws Error. */
export async function mainFile(folder: string, main: string): Promise<string> {
  if (isAbsolute(main) || isOutside(folder, resolve(folder, main))) throw new Error(`main "${main}" leads out of the folder`);
  const file = await realpath(resolve(folder, main));
  if (isOutside(folder, file)) throw new Error(`main "${main}" leads out of the folder through a link`);
  if (!(await lstat(file)).isFile()) throw new Error(`main "${main}" is no file`);
  return file;
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')) return false;
    throw thrown;
  }
}
