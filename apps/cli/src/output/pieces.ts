import { errors } from '@palimpsest/contracts/plain';
import { descriptorOf, writeWhole } from '@palimpsest/runtime/sessions';
import { clean } from './clean.ts';
import { out } from './stdout.ts';

type Pieces = AsyncIterable<string> | Iterable<string>;

/** A long text to stdout, as fast as its reader takes it: byte for byte, but for a terminal, which is not to obey it. */
export async function writePieces(pieces: Pieces): Promise<void> {
  const shown = process.stdout.isTTY ? clean : (piece: string): string => piece;
  for await (const piece of pieces)
    if (!out(shown(piece))) await new Promise<void>((resolve) => void process.stdout.once('drain', resolve));
}

/** To whatever the name stands for; see {@link writeWhole}. @returns bytes. @throws FILE_UNWRITABLE, FILE_WRITE_FAILED. */
export function writeFileWhole(file: string, pieces: Pieces): Promise<number> {
  return writeWhole(file, pieces, clean);
}

/** What `--output` asks for: a file, or null for stdout, which has several names. @throws USAGE_INVALID for no name. */
export async function outputFile(name: string | undefined): Promise<string | null> {
  if (name === undefined || name === '-') return null;
  if (name === '') throw errors.usageInvalid('--output names no file', 'For example -o out.jsonl; without -o it goes to stdout.');
  return (await descriptorOf(name)) === 1 ? null : name;
}
