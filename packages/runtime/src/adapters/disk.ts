import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the file system says about a place, whether or not it exists yet. */
export interface Place {
  /** The place itself, or the nearest folder above it that exists. */
  readonly nearest: string;
  readonly exists: boolean;
  /** Of the nearest. */
  readonly isFolder: boolean;
  readonly isWritable: boolean;
  readonly freeBytes: number;
}

export async function placeAt(path: string): Promise<Place> {
  let nearest = path;
  while (!(await isThere(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const [{ bavail, bsize }, isFolder] = await Promise.all([statfs(nearest), stat(nearest).then((found) => found.isDirectory())]);
  const isWritable = await access(nearest, constants.W_OK).then(() => true, () => false);
  return { nearest, exists: nearest === path, isFolder, isWritable, freeBytes: bavail * bsize };
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(() => true, () => false);
}
