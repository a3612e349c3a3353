/** A file's text bytes: decompressed by what the first bytes say, never by the name. */
import { createReadStream } from 'node:fs';
import * as zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import { errors } from '@palimpsest/contracts';
import { isGzip, isZstd, type Snapshot } from './snapshot.ts';

const CHUNK_BYTES = 256 * 1024;
const WRITE_BYTES = 4 * 1024;

export interface DecodeHooks {
  /** Sees every raw byte once. */
  readonly onRaw?: (chunk: Buffer) => void;
  /** `gzip-ended-early`, `gzip-damaged`, `gzip-trailing-bytes`, the same with `zstd`: what was decoded before is still handed out. */
  readonly onNote?: (reason: string) => void;
}

/** Streams the decoded bytes from position `from` on. Leaving the loop closes the file. @throws TRANSCRIPT_UNREADABLE. */
export async function* decode(snapshot: Snapshot, from = 0, hooks: DecodeHooks = {}): AsyncGenerator<Buffer> {
  const packing = packingOf(snapshot);
  if (packing === null) yield* raw(snapshot, from, hooks);
  else yield* dropFirst(unpack(snapshot, packing, hooks), from);
}

/** A way in which text is compressed: how its faults are named, and what undoes it. */
interface Packing {
  readonly name: 'gzip' | 'zstd';
  readonly open: () => Unpacker;
}
type Unpacker = Transform & { readonly bytesWritten: number };
/** Null: not compressed. @throws TRANSCRIPT_UNSUPPORTED for zstd where the running Node cannot undo it (before 22.15). */
function packingOf({ file, magic }: Snapshot): Packing | null {
  if (isGzip(magic)) return { name: 'gzip', open: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }) };
  if (!isZstd(magic)) return null;
  if (typeof zlib.createZstdDecompress !== 'function')
    throw errors.transcriptUnsupported(file, 'Text compressed with zstd needs Node 22.15 or later');
  return { name: 'zstd', open: () => zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES }) };
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

/** A zstd stream stops at the end of a frame, so each frame is unpacked by itself; several gzip members are one stream. */
async function* unpack(snapshot: Snapshot, packing: Packing, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  for (let from: number | null = 0; from !== null;) {
    const frame: Attempt = { from, slowFrom: Infinity, at: from, next: null, fault: null, isBroken: false };
    yield* unpackFrame(snapshot, packing, frame, from === 0 ? hooks : {});
    if (frame.fault !== null) hooks.onNote?.(frame.fault);
    from = frame.fault === null ? frame.next : null;
  }
}

/** A fault costs what was not taken yet, and all output of the write it strikes: that is decoded again. */
async function* unpackFrame(snapshot: Snapshot, packing: Packing, frame: Attempt, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  let given = 0;
  for await (const chunk of attempt(snapshot, packing, frame, hooks)) {
    given += chunk.length;
    yield chunk;
  }
  if (frame.isBroken) yield* await remainder(snapshot, packing, frame, given);
}

/** The output of a broken frame behind what was given: little, for no more is decoded than is taken. Byte by byte where the fault struck. */
async function remainder(snapshot: Snapshot, packing: Packing, frame: Attempt, given: number): Promise<readonly Buffer[]> {
  const kept: Buffer[] = [];
  const unzip = packing.open();
  let left = given;
  // Taken at once: a stream that breaks gives nothing more away.
  unzip.on('data', (chunk: Buffer) => {
    if (chunk.length > left) kept.push(chunk.subarray(left));
    left = Math.max(0, left - chunk.length);
  });
  unzip.on('error', () => undefined);
  const closed = new Promise((resolve) => unzip.once('close', resolve));
  try {
    await feed(snapshot, { unzip, name: packing.name }, { ...frame, slowFrom: frame.at, next: null }, {}, () => false);
  } finally {
    if (!unzip.writableEnded) unzip.destroy();
  }
  await closed;
  return kept;
}

/** `at`: begin of the newest write, in raw bytes; from `slowFrom` on every write is one byte. `next`: where another frame begins. */
interface Attempt {
  readonly from: number;
  readonly slowFrom: number;
  at: number;
  next: number | null;
  fault: string | null;
  /** The fault ended the output early. */
  isBroken: boolean;
}

async function* attempt(snapshot: Snapshot, packing: Packing, state: Attempt, hooks: DecodeHooks): AsyncGenerator<Buffer> {
  const unzip = packing.open();
  let left = true;
  const feeding = feed(snapshot, { unzip, name: packing.name }, state, hooks, () => left).catch((cause: unknown) => {
    unzip.destroy(cause as Error);
  });
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) yield chunk;
    left = false;
  } catch (cause) {
    if (!isZlib(cause)) throw cause;
    left = false;
    state.isBroken = true;
    state.fault = `${packing.name}-${faults.get((cause as { code: string }).code) ?? 'damaged'}`;
  } finally {
    unzip.destroy();
    await feeding;
  }
}

/** The first frame's begin is known to be right, so an unknown one stands behind whole frames. */
const faults = new Map([
  ['Z_BUF_ERROR', 'ended-early'],
  ['ZSTD_error_prefix_unknown', 'trailing-bytes'],
]);
const isZlib = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && /^(?:Z_|ZSTD_|ERR_ZSTD)/u.test(String(cause.code));

/** After a fault, and behind a frame, the raw bytes are read on: they are being hashed. `left`: the consumer went away, nothing more is needed. */
async function feed(
  snapshot: Snapshot,
  { unzip, name }: { readonly unzip: Unpacker; readonly name: Packing['name'] },
  state: Attempt,
  hooks: DecodeHooks,
  left: () => boolean,
): Promise<void> {
  let begin = state.from;
  for await (const chunk of raw(snapshot, state.from, hooks)) {
    if ((unzip.destroyed || state.next !== null) && (left() || hooks.onRaw === undefined)) return;
    for (let at = 0; at < chunk.length && !unzip.destroyed && state.next === null;) {
      state.at = begin + at;
      const end = at + (state.at >= state.slowFrom ? 1 : WRITE_BYTES);
      await written(unzip, chunk.subarray(at, end));
      at = Math.min(end, chunk.length);
      const taken = state.from + unzip.bytesWritten;
      if (name === 'zstd' && !unzip.errored && taken < begin + at) state.next = taken;
    }
    begin += chunk.length;
  }
  if (unzip.destroyed || state.next !== null) return;
  unzip.end(() => {
    if (state.from + unzip.bytesWritten < begin) state.fault ??= `${name}-trailing-bytes`;
  });
}

/** Resolves when the bytes were taken, or the stream is gone: a write that meets a fault is never called back. */
const written = (unzip: Transform, bytes: Buffer): Promise<void> =>
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
