/** A file's text bytes: decompressed by what the first bytes say, never by the name. */
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { constants, createGunzip, type Gunzip } from 'node:zlib';
import { errors } from '@palimpsest/contracts';
import { isGzip, type Snapshot } from './snapshot.ts';

const CHUNK_BYTES = 256 * 1024;
/** Checksum and length of a gzip member. Held back from the data, a damaged one costs a note and no text. */
const TRAILER_BYTES = 8;

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

async function* gunzip(snapshot: Snapshot, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const state = { left: true };
  const feeding = feed(snapshot, unzip, hooks, state).catch((cause: unknown) => { unzip.destroy(cause as Error); });
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) yield chunk;
    state.left = false;
  } catch (cause) {
    if (!isZlib(cause)) throw cause;
    state.left = false;
    hooks.onNote?.((cause as { code: string }).code === 'Z_BUF_ERROR' ? 'gzip-ended-early' : 'gzip-damaged');
  } finally {
    unzip.destroy();
    await feeding;
  }
}

const isZlib = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');

/**
 * Flushes before the end and keeps the trailer apart, so all that can be decoded is handed out before a fault shows. After a fault the
 * raw bytes are read on: they are being hashed. `left`: the consumer went away, nothing more is needed.
 */
async function feed(snapshot: Snapshot, unzip: Gunzip, hooks: DecodeHooks, state: { readonly left: boolean }): Promise<void> {
  let held: Buffer = Buffer.alloc(0);
  let fed = 0;
  for await (const chunk of raw(snapshot, 0, hooks)) {
    if (unzip.destroyed && state.left) return;
    const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const cut = Math.max(0, all.length - TRAILER_BYTES);
    held = Buffer.from(all.subarray(cut));
    fed += cut;
    if (!unzip.destroyed && !unzip.write(all.subarray(0, cut))) await settled(unzip, 'drain');
  }
  if (unzip.destroyed) return;
  unzip.flush(constants.Z_SYNC_FLUSH, () => unzip.emit('flushed'));
  await settled(unzip, 'flushed');
  if (unzip.destroyed) return;
  unzip.end(held, () => { if (unzip.bytesWritten < fed + held.length) hooks.onNote?.('gzip-trailing-bytes'); });
}

/** Waits for the event, or for the stream to go away. */
async function settled(unzip: Gunzip, event: string): Promise<void> {
  const over = new AbortController();
  const options = { signal: over.signal };
  await Promise.race([once(unzip, event, options), once(unzip, 'close', options)]).catch(() => undefined);
  over.abort();
}

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
