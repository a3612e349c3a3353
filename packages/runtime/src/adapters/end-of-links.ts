import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The real path of a name, as far as it is there: what is missing at the end stays as it is written, and a link that leads nowhere is followed. @throws the system's error for links in a ring. */
export async function endOfLinks(name: string): Promise<string> {
  const real = await realpath(name).catch(unlessMissing);
  if (real !== null) return real;
  const target = await readlink(name).catch(() => null);
  const folder = await endOfLinks(dirname(resolve(name)));
  return target === null ? join(folder, basename(name)) : endOfLinks(resolve(folder, target));
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
  throw error;
}
