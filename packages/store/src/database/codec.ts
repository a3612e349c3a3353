import type * as Zlib from 'node:zlib';

/** Loaded where a text is packed: a short command that needs none would wait for it. */
const zlib = (): typeof Zlib => process.getBuiltinModule('node:zlib');

/** How a text lies in the database: as text, or as bytes that are compressed, or UTF-16 (a lone surrogate has no UTF-8), or both. */
export interface Packed {
  readonly codec: number;
  readonly body: string | Buffer;
}

const ZSTD = 1;
const UTF16 = 2;
/** Below this there is nothing to win. */
const SMALLEST_CHARACTERS = 128;

/** Compressed where that makes it smaller; Node before 22.15 has no zstd and stores texts as they are. */
export function pack(text: string): Packed {
  const encoding = text.isWellFormed() ? 'utf8' : 'utf16le';
  const codec = encoding === 'utf8' ? 0 : UTF16;
  const plain: string | Buffer = codec === 0 ? text : Buffer.from(text, encoding);
  if (text.length < SMALLEST_CHARACTERS || typeof zlib().zstdCompressSync !== 'function') return { codec, body: plain };
  const bytes = Buffer.from(text, encoding);
  const small = zlib().zstdCompressSync(bytes);
  return small.length < bytes.length ? { codec: codec | ZSTD, body: small } : { codec, body: plain };
}

export function unpack({ codec, body }: Packed): string {
  if (typeof body === 'string') return body;
  if ((codec & ZSTD) !== 0 && typeof zlib().zstdDecompressSync !== 'function')
    throw new Error('the text is compressed with zstd, which needs Node 22.15 or newer');
  const bytes = (codec & ZSTD) === 0 ? body : zlib().zstdDecompressSync(body);
  return bytes.toString((codec & UTF16) === 0 ? 'utf8' : 'utf16le');
}
