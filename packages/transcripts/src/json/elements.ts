/**
 * Scans a JSON document that is too large to be parsed whole: descends into the few containers asked for and hands out every
 * other value's bytes. Knows strings, escapes and depth; whether a value is well-formed is its parser's business.
 */
export type Path = readonly (string | number)[];
export interface Found {
  readonly path: Path;
  /** Position in the text. */
  readonly start: number;
  /** Null: entered, its own values follow. */
  readonly bytes: Buffer | null;
  /** Longer than `bytes` when the value is above the limit: then only its begin was kept. */
  readonly length: number;
}
export interface ScanOptions {
  /** Asked for every object and array met at a place that was descended to. */
  readonly descend: (path: Path, kind: 'object' | 'array') => boolean;
  readonly keepBytes: (path: Path) => number;
  readonly firstByte?: number;
}
interface Frame {
  readonly kind: 'object' | 'array';
  key: string | null;
  index: number;
}
interface Value {
  readonly start: number;
  readonly path: Path;
  readonly keep: number;
  readonly scalar: boolean;
  depth: number;
  kept: Buffer[];
  keptBytes: number;
  length: number;
}

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  COMMA = 0x2c,
  COLON = 0x3a,
  OPEN_ARRAY = 0x5b,
  CLOSE_ARRAY = 0x5d,
  OPEN_OBJECT = 0x7b,
  CLOSE_OBJECT = 0x7d;
/** White space, and the NUL bytes that a crash leaves around a text. */
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
/** A byte order mark before the document. */
const isMark = (byte: number, at: number): boolean => at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf);
const isClose = (byte: number): boolean => byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;

export class ElementScanner {
  readonly #options: ScanOptions;
  readonly #frames: Frame[] = [];
  #value: Value | null = null;
  #key: Buffer[] | null = null;
  #inString = false;
  #escaped = false;
  #at: number;
  #state: 'value' | 'key' | 'done' = 'value';
  /** Position of the first byte behind the document that is no white space; -1: none. */
  trailing = -1;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#at = options.firstByte ?? 0;
  }

  /** The document's last bracket was seen. */
  get done(): boolean {
    return this.#state === 'done';
  }

  push(chunk: Buffer): Found[] {
    const found: Found[] = [];
    const base = this.#at;
    for (let at = 0; at < chunk.length;) {
      if (this.#value !== null) at = this.#scanValue(chunk, at, found);
      else if (this.#key !== null) at = this.#scanKey(chunk, at);
      else at = this.#shallow(chunk, at, base, found);
      if (this.done && this.trailing !== -1) break;
    }
    this.#at = base + chunk.length;
    return found;
  }

  #shallow(chunk: Buffer, at: number, base: number, found: Found[]): number {
    const byte = chunk[at] ?? 0;
    if (isBlank(byte) || byte === COLON || isMark(byte, base + at)) return at + 1;
    if (this.done) {
      this.trailing = base + at;
      return at + 1;
    }
    if (byte === COMMA) this.#next();
    else if (isClose(byte)) this.#leave();
    else if (this.#state === 'key') this.#beginKey(byte);
    else return this.#begin(byte, at, base, found);
    return at + 1;
  }

  #next(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.index++;
    this.#state = frame.kind === 'object' ? 'key' : 'value';
  }

  #leave(): void {
    this.#frames.pop();
    this.#state = this.#frames.length === 0 ? 'done' : 'value';
  }

  #beginKey(byte: number): void {
    this.#key = byte === QUOTE ? [] : null;
  }

  #scanKey(chunk: Buffer, from: number): number {
    const end = this.#stringEnd(chunk, from);
    this.#key?.push(Buffer.from(chunk.subarray(from, end === -1 ? chunk.length : end - 1)));
    if (end === -1) return chunk.length;
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.key = keyOf(Buffer.concat(this.#key ?? []).toString('utf8'));
    this.#key = null;
    this.#state = 'value';
    return end;
  }

  #begin(byte: number, at: number, base: number, found: Found[]): number {
    const path = this.#frames.map((frame) => (frame.kind === 'object' ? (frame.key ?? '') : frame.index));
    const kind = byte === OPEN_OBJECT ? 'object' : byte === OPEN_ARRAY ? 'array' : null;
    if (kind !== null && this.#options.descend(path, kind)) {
      this.#frames.push({ kind, key: null, index: 0 });
      this.#state = kind === 'object' ? 'key' : 'value';
      found.push({ path, start: base + at, bytes: null, length: 0 });
      return at + 1;
    }
    const keep = this.#options.keepBytes(path);
    this.#value = { start: base + at, path, keep, scalar: kind === null && byte !== QUOTE, depth: 0, kept: [], keptBytes: 0, length: 0 };
    return at;
  }

  #scanValue(chunk: Buffer, from: number, found: Found[]): number {
    const value = this.#value as Value;
    const end = value.scalar ? scalarEnd(chunk, from) : this.#valueEnd(value, chunk, from);
    const until = end === -1 ? chunk.length : end;
    const room = Math.min(until - from, value.keep - value.keptBytes);
    if (room > 0) value.kept.push(Buffer.from(chunk.subarray(from, from + room)));
    value.keptBytes += Math.max(0, room);
    value.length += until - from;
    if (end === -1) return chunk.length;
    found.push({ path: value.path, start: value.start, bytes: Buffer.concat(value.kept), length: value.length });
    this.#value = null;
    if (this.#frames.length === 0) this.#state = 'done';
    return end;
  }

  #valueEnd(value: Value, chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#inString) {
        const end = this.#stringEnd(chunk, at);
        if (end === -1) return -1;
        at = end - 1;
        if (value.depth === 0) return end;
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) value.depth++;
      else if (isClose(byte) && --value.depth <= 0) return at + 1;
    }
    return -1;
  }

  /** Behind the closing quote of the string that is open; -1: it goes on in the next chunk. */
  #stringEnd(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        return at + 1;
      }
    }
    return -1;
  }
}

function scalarEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte === COMMA || isClose(byte) || isBlank(byte)) return at;
  }
  return -1;
}

function keyOf(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
