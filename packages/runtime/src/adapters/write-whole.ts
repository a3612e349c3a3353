import { constants, createWriteStream, type WriteStream } from 'node:fs';
import { chmod, chown, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { messageOf, unwritable } from '@palimpsest/contracts/plain';
import { writtenTo, type WrittenTo } from './written-to.ts';

export type Pieces = AsyncIterable<string> | Iterable<string>;
type AFile = WrittenTo & { readonly kind: 'file' };

/**
 * A text under a name. A file gets it beside first and then in its place, so that what stood there goes only when the new text is whole; links stay and
 * are written through, mode and owner stay as they were. A device or a pipe is written to as it is; a terminal gets `shown` of each piece.
 * @returns bytes. @throws FILE_UNWRITABLE, FILE_WRITE_FAILED.
 */
export async function writeWhole(name: string, pieces: Pieces, shown: (piece: string) => string = (piece) => piece): Promise<number> {
  const to = await writtenTo(name).catch((error: unknown) => {
    throw unwritable(name, error);
  });
  return to.kind === 'file' ? intoPlace(name, to, pieces) : straight(name, to, pieces, shown);
}

async function intoPlace(name: string, to: AFile, pieces: Pieces): Promise<number> {
  const beside = join(dirname(to.file), `.palimpsest-${crypto.randomUUID()}.part`);
  try {
    const out = createWriteStream(beside, { flags: 'wx', mode: to.earlier?.mode ?? 0o666 });
    await pipeline(Readable.from(pieces), out);
    await asBefore(beside, to);
    await rename(beside, to.file);
    return out.bytesWritten;
  } catch (error) {
    await rm(beside, { force: true });
    throw isOfSystem(error) ? unwritable(name, withoutBeside(error, beside, name)) : error;
  }
}

/** Mode and owner; the owner only where the system lets us, as with every program that saves in this way. */
async function asBefore(beside: string, { earlier }: AFile): Promise<void> {
  if (earlier === null) return;
  await chown(beside, earlier.uid, earlier.gid).catch(() => undefined);
  await chmod(beside, earlier.mode);
}

async function straight(name: string, to: Exclude<WrittenTo, AFile>, pieces: Pieces, shown: (piece: string) => string): Promise<number> {
  try {
    const { out, fd } = await opened(name, to);
    await pipeline(Readable.from(isatty(fd) ? each(pieces, shown) : pieces), out);
    return out.bytesWritten;
  } catch (error) {
    throw isOfSystem(error) ? unwritable(name, error) : error;
  }
}

/** What is open is not opened again, which would write from its beginning; nor is anything cut that was opened for us. */
async function opened(name: string, to: Exclude<WrittenTo, AFile>): Promise<{ readonly out: WriteStream; readonly fd: number }> {
  if (to.kind === 'stream') return { out: createWriteStream('', { fd: to.fd, autoClose: false }), fd: to.fd };
  const handle = await open(name, constants.O_WRONLY | constants.O_APPEND | constants.O_NOCTTY);
  return { out: handle.createWriteStream(), fd: handle.fd };
}

async function* each(given: Pieces, shown: (piece: string) => string): AsyncGenerator<string, void, void> {
  for await (const piece of given) yield shown(piece);
}

const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

/** The file beside is nobody's business: what failed, failed for the name that was given. */
function withoutBeside(error: Error, beside: string, name: string): Error {
  const code = 'code' in error ? { code: error.code } : {};
  return Object.assign(new Error(messageOf(error).replaceAll(beside, name)), code);
}
