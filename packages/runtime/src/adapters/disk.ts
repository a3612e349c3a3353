import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
  const isWritable = isFolder
    ? await isFolderWritable(nearest)
    : await access(nearest, constants.W_OK).then(
        () => true,
        () => false,
      );
  return { nearest, exists: nearest === path, isFolder, isWritable, freeBytes: bavail * bsize };
}

/** Only by trying is it known: root may write everywhere, and yet not make a folder in `/proc`. Nothing is left behind. */
async function isFolderWritable(folder: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(folder, '.palimpsest-')));
    return true;
  } catch {
    return false;
  }
}

/** Level by level from the nearest folder that is there: making all at once never ends where the system forbids it without saying so, as in `/proc`. `mode` is that of each folder made. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  if (await isThere(folder)) {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(`EEXIST: ${folder} is no folder`), { code: 'EEXIST' });
    return;
  }
  await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
