/** Lines of a byte stream, split at 0x0A only: U+2028 and its like are legal inside JSON strings. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Position of its first byte in the decoded text. */
  readonly start: number;
  /** Null: longer than the limit, `length` says how long. Without the line feed and one carriage return before it. */
  readonly bytes: Buffer | null;
  readonly length: number;
}

interface Open {
  parts: Buffer[];
  length: number;
  number: number;
  start: number;
}

/** Lines in batches, one per chunk: an iteration step for every line would cost more than the line. */
export async function* lines(chunks: AsyncIterable<Buffer>, limitBytes: number, firstNumber = 1, firstByte = 0): AsyncGenerator<Line[]> {
  const open: Open = { parts: [], length: 0, number: firstNumber, start: firstByte };
  for await (const chunk of chunks) {
    const batch: Line[] = [];
    let from = 0;
    for (let feed = chunk.indexOf(10); feed !== -1; feed = chunk.indexOf(10, from)) {
      keep(open, chunk.subarray(from, feed), limitBytes);
      batch.push(close(open, limitBytes, 1));
      from = feed + 1;
    }
    // A copy: a view would keep the whole chunk alive.
    if (from < chunk.length) keep(open, Buffer.from(chunk.subarray(from)), limitBytes);
    if (batch.length > 0) yield batch;
  }
  if (open.length > 0) yield [close(open, limitBytes, 0)];
}

function keep(open: Open, bytes: Buffer, limitBytes: number): void {
  open.length += bytes.length;
  if (open.length > limitBytes) open.parts = [];
  else open.parts.push(bytes);
}

function close(open: Open, limitBytes: number, feedBytes: number): Line {
  const { parts, length, number, start } = open;
  const bytes = length > limitBytes ? null : withoutReturn(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
  Object.assign(open, { parts: [], length: 0, number: number + 1, start: start + length + feedBytes });
  return { number, start, bytes, length };
}

const withoutReturn = (bytes: Buffer): Buffer => (bytes[bytes.length - 1] === 13 ? bytes.subarray(0, -1) : bytes);
