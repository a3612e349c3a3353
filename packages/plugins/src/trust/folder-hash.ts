import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errors } from '@palimpsest/contracts';

/** A plugin larger than this cannot be trusted: nobody has read it. */
const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Content hash of a whole folder: every path in it, in order, with its kind and its bytes; of a link, where it points. A change of one
 * byte, one name or one link gives another hash; times and owners do not count. @throws PLUGIN_UNREADABLE when it is too large or cannot be read.
 */
export async function folderHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for (const path of await pathsIn(folder)) {
      const isLink = (await lstat(join(folder, path))).isSymbolicLink();
      hash.update(`${JSON.stringify([path, isLink ? await linkTarget(folder, path) : await fileHash(join(folder, path))])}\n`);
    }
  } catch (thrown) {
    throw errors.pluginUnreadable(folder, thrown);
  }
  return hash.digest('hex');
}

/** Of files and links, relative, by code unit. */
async function pathsIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => !entry.isDirectory());
  const odd = files.find((entry) => !entry.isFile() && !entry.isSymbolicLink());
  if (odd !== undefined) throw new Error(`${odd.name} is neither a file nor a link`);
  if (files.length > MOST_FILES) throw new Error(`it holds more than ${String(MOST_FILES)} files`);
  const paths = files
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort();
  const sizes = await Promise.all(paths.map(async (path) => (await lstat(join(folder, path))).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_BYTES) throw new Error(`it holds more than ${String(MOST_BYTES)} bytes`);
  return paths;
}

/** What lies outside can change without a change of the hash. */
async function linkTarget(folder: string, path: string): Promise<readonly string[]> {
  const way = relative(await realpath(folder), await realpath(join(folder, path)));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw new Error(`${path} is a link that leads out of the folder`);
  return ['link', await readlink(join(folder, path))];
}

async function fileHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
