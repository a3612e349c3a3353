/** A file as it was when opened: live files grow, or are rewritten, while they are read. */
import { open, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { errors } from '@palimpsest/contracts';

/** `size`: raw bytes at the time of opening; nothing behind them is read. `magic`: the first 16 bytes. */
export interface Snapshot {
  readonly file: string;
  readonly size: number;
  readonly inode: number;
  readonly magic: Buffer;
}

/** @throws TRANSCRIPT_UNREADABLE for what is missing, a directory, or no regular file. */
export async function takeSnapshot(file: string): Promise<Snapshot> {
  const { size, ino } = await status(file);
  const handle = await open(file).catch((cause: unknown) => {
    throw errors.transcriptUnreadable(file, cause);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return { file, size, inode: ino, magic: buffer.subarray(0, bytesRead) };
  } catch (cause) {
    throw errors.transcriptUnreadable(file, cause);
  } finally {
    await handle.close();
  }
}

/** @throws TRANSCRIPT_UNREADABLE when the file was cut or put in place of the one that was opened. */
export async function checkUnchanged(snapshot: Snapshot): Promise<void> {
  const { size, ino } = await status(snapshot.file);
  if (size < snapshot.size || ino !== snapshot.inode)
    throw errors.transcriptUnreadable(snapshot.file, new Error('it was rewritten since it was opened'));
}

async function status(file: string): Promise<Stats> {
  const found = await stat(file).catch((cause: unknown) => {
    throw errors.transcriptUnreadable(file, cause);
  });
  if (!found.isFile())
    throw errors.transcriptUnreadable(file, new Error(found.isDirectory() ? 'it is a directory' : 'it is no regular file'));
  return found;
}

export const isGzip = (magic: Buffer): boolean => magic[0] === 0x1f && magic[1] === 0x8b;
export const isZstd = (magic: Buffer): boolean => [0x28, 0xb5, 0x2f, 0xfd].every((byte, index) => magic[index] === byte);
