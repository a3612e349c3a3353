import { constants } from 'node:fs';
import { access, readFile, readlink, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { endOfLinks } from './end-of-links.ts';

/**
 * What a name stands for when it is written to. `stream`: stdout or stderr, which are open already. `device`: a device, a pipe, a socket, or
 * what was opened for us under a number. `file`: a file, at the end of every link; `earlier` is what stands there now.
 */
export type WrittenTo =
  | { readonly kind: 'stream'; readonly fd: 1 | 2 }
  | { readonly kind: 'device' }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly earlier: { readonly mode: number; readonly uid: number; readonly gid: number } | null;
    };

/** @throws the system's error where it is a folder, or a file that may not be written to. */
export async function writtenTo(name: string): Promise<WrittenTo> {
  const fd = await descriptorOf(name);
  if (fd === 1 || fd === 2) return { kind: 'stream', fd };
  if (fd !== null && !(await isGiven(fd)))
    throw Object.assign(new Error(`EBADF: nothing to write to was opened under this number, ${name}`), { code: 'EBADF' });
  if (fd !== null) return { kind: 'device' };
  const found = await stat(name).catch(unlessMissing);
  if (found === null) return { kind: 'file', file: await endOfLinks(name), earlier: null };
  if (found.isDirectory()) throw Object.assign(new Error(`EISDIR: it is a folder, ${name}`), { code: 'EISDIR' });
  if (!found.isFile()) return { kind: 'device' };
  // A file that takes another one's place is not asked whether it may.
  await access(name, constants.W_OK);
  const { mode, uid, gid } = found;
  return { kind: 'file', file: await endOfLinks(name), earlier: { mode: mode & 0o7777, uid, gid } };
}

/** Number of the open file that a name like `/dev/stdout` or `/dev/fd/3` stands for; null: of none. */
export async function descriptorOf(name: string): Promise<number | null> {
  let path = resolve(name);
  for (let links = 0; links < 40; links += 1) {
    const [, number] = /^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/(\d+)$/u.exec(path) ?? [];
    if (number !== undefined) return isOurs(path) ? Number(number) : null;
    const target = await readlink(path).catch(() => null);
    if (target === null) return null;
    path = resolve(dirname(path), target);
  }
  return null;
}

const isOurs = (path: string): boolean => !/^\/proc\/\d/u.test(path) || path.startsWith(`/proc/${String(process.pid)}/`);

const [WRITE_ONLY, CLOSED_ON_EXEC] = [0o1, 0o2000000];

/** Whoever started us opened it. Any other number is a work of the process itself, or the store, which a text would bring down. */
async function isGiven(fd: number): Promise<boolean> {
  const about = `/proc/self/fdinfo/${String(fd)}`;
  const [known, found] = await Promise.all([
    readFile(about, 'utf8').catch(() => ''),
    stat(`/proc/self/fd/${String(fd)}`).catch(() => null),
  ]);
  const flags = Number.parseInt(/^flags:\s*(\d+)/mu.exec(known)?.[1] ?? '0', 8);
  // Node marks low numbers as its own; of those only what it never opens in this way is certain.
  const isCertain = (found?.isFile() === true || found?.isCharacterDevice() === true) && (flags & WRITE_ONLY) !== 0;
  return (flags & CLOSED_ON_EXEC) === 0 || isCertain;
}

function unlessMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
