import { createWriteStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { errors, unwritable } from '@palimpsest/contracts/plain';

/** Above this a file is read with an eye on memory. Bytes. */
const LARGE_BYTES = 32 * 1024 * 1024;
/** The first whose V8 knows the mode. */
const SPARING_MAJOR = 24;

/** A session file to work on. `-` is what comes on stdin: kept in a file of its own while it is worked on, for a session file is read more than once. */
export async function withFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T> {
  if (name !== '-') {
    spareMemory(name);
    return work(name);
  }
  if (process.stdin.isTTY)
    throw errors.usageInvalid(
      '- reads a session file from stdin, and nothing is piped into it',
      'For example: zcat session.jsonl.gz | palimpsest replay -',
    );
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-stdin-'));
  try {
    const file = join(folder, 'stdin');
    await pipeline(process.stdin, createWriteStream(file)).catch((cause: unknown) => {
      throw unwritable(file, cause);
    });
    spareMemory(file);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Collects garbage sooner, at the price of some speed: what passes through is many times what is kept. */
function spareMemory(file: string): void {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > LARGE_BYTES && Number(process.versions.node.split('.')[0]) >= SPARING_MAJOR) setFlagsFromString('--memory-saver-mode');
}
