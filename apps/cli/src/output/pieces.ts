import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unwritable } from '@palimpsest/contracts/plain';
import { clean } from './clean.ts';

/** A long text to stdout, as fast as its reader takes it: byte for byte, but for a terminal, which is not to obey it. */
export async function writePieces(pieces: AsyncIterable<string>): Promise<void> {
  const shown = process.stdout.isTTY ? clean : (piece: string): string => piece;
  for await (const piece of pieces) if (!process.stdout.write(shown(piece))) await new Promise<void>((resolve) => void process.stdout.once('drain', resolve));
}

/** Beside the file first, then in its place: what stood there goes only when the new text is whole. @returns bytes. @throws FILE_UNWRITABLE. */
export async function writeFileWhole(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<number> {
  const beside = `${file}.${String(process.pid)}.part`;
  const out = createWriteStream(beside);
  try {
    await pipeline(Readable.from(pieces), out);
    await rename(beside, file);
    return out.bytesWritten;
  } catch (error) {
    await rm(beside, { force: true });
    throw error instanceof Error && 'syscall' in error ? unwritable(file, error) : error;
  }
}
