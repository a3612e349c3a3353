import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errors, unwritable } from '@palimpsest/contracts/plain';

/** `-` is what comes on stdin: kept in a file of its own while it is worked on, for a session file is read more than once. */
export async function withFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
  if (name !== '-') return work(name);
  if (process.stdin.isTTY) throw errors.usageInvalid('- reads a session file from stdin, and nothing is piped into it', 'For example: zcat session.jsonl.gz | palimpsest replay -');
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-stdin-'));
  try {
    const file = join(folder, 'stdin');
    await pipeline(process.stdin, createWriteStream(file)).catch((cause: unknown) => { throw unwritable(file, cause); });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
