/** A file's text bytes: decompressed by what the first bytes say, never by the name. */
import { createReadStream } from 'node:fs';
import { createGunzip, type Gunzip } from 'node:zlib';
import { errors } from '@palimpsest/contracts';
import { isGzip, type Snapshot } from './snapshot.ts';

const CHUNK_BYTES = 256 * 1024;
const WRITE_BYTES = 4 * 1024;

export interface DecodeHooks {
  /** Sees every raw byte once. */
  readonly onRaw?: (chunk: Buffer) => void;
  /** `gzip-ended-early`, `gzip-damaged`, `gzip-trailing-bytes`: what was decoded before is still handed out. */
  readonly onNote?: (reason: string) => void;
}

/** Streams the decoded bytes from position `from` on. Leaving the loop closes the file. @throws TRANSCRIPT_UNREADABLE. */
export async function* decode(snapshot: Snapshot, from = 0, hooks: DecodeHooks = {}): AsyncGenerator<Buffer> {
  if (!isGzip(snapshot.magic)) yield* raw(snapshot, from, hooks);
  else yield* dropFirst(gunzip(snapshot, hooks), from);
}

/** The bytes as stored. */
export async function* raw(snapshot: Snapshot, from: number, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  if (snapshot.size <= from) return;
  const stream = createReadStream(snapshot.file, { start: from, end: snapshot.size - 1, highWaterMark: CHUNK_BYTES });
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hooks.onRaw?.(chunk);
      yield chunk;
    }
  } catch (cause) {
    throw errors.transcriptUnreadable(snapshot.file, cause);
  } finally {
    stream.destroy();
  }
}

/** A fault costs all output of the write it strikes: so what comes before it is decoded again, byte by byte where it struck. */
async function* gunzip(snapshot: Snapshot, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  const first: Attempt = { slowFrom: Infinity, at: 0, fault: null };
  let given = 0;
  for await (const chunk of attempt(snapshot, first, hooks)) {
    given += chunk.length;
    yield chunk;
  }
  if (first.fault === 'gzip-damaged') yield* dropFirst(attempt(snapshot, { slowFrom: first.at, at: 0, fault: null }, {}), given);
  if (first.fault !== null) hooks.onNote?.(first.fault);
}

/** `at`: begin of the newest write, in raw bytes; from `slowFrom` on every write is one byte. */
interface Attempt {
  readonly slowFrom: number;
  at: number;
  fault: string | null;
}

async function* attempt(snapshot: Snapshot, state: Attempt, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  let left = true;
  const feeding = feed(snapshot, unzip, state, hooks, () => left).catch((cause: unknown) => {
    unzip.destroy(cause as Error);
  });
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) yield chunk;
    left = false;
  } catch (cause) {
    if (!isZlib(cause)) throw cause;
    left = false;
    state.fault = (cause as { code: string }).code === 'Z_BUF_ERROR' ? 'gzip-ended-early' : 'gzip-damaged';
  } finally {
    unzip.destroy();
    await feeding;
  }
}

const isZlib = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');

/** After a fault the raw bytes are read on: they are being hashed. `left`: the consumer went away, nothing more is needed. */
async function feed(snapshot: Snapshot, unzip: Gunzip, state: Attempt, hooks: DecodeHooks, left: () => boolean): Promise<void> {
  let begin = 0;
  for await (const chunk of raw(snapshot, 0, hooks)) {
    if (unzip.destroyed && (left() || hooks.onRaw === undefined)) return;
    for (let at = 0; at < chunk.length && !unzip.destroyed;) {
      state.at = begin + at;
      const end = at + (state.at >= state.slowFrom ? 1 : WRITE_BYTES);
      await written(unzip, chunk.subarray(at, end));
      at = end;
    }
    begin += chunk.length;
  }
  if (unzip.destroyed) return;
  unzip.end(() => {
    if (unzip.bytesWritten < begin) state.fault ??= 'gzip-trailing-bytes';
  });
}

/** Resolves when the bytes were taken, or the stream is gone: a write that meets a fault is never called back. */
const written = (unzip: Gunzip, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      unzip.off('close', done);
      resolve();
    };
    unzip.once('close', done);
    unzip.write(bytes, done);
  });

async function* dropFirst(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of chunks) {
    if (left >= chunk.length) left -= chunk.length;
    else {
      yield left === 0 ? chunk : chunk.subarray(left);
      left = 0;
    }
  }
}
