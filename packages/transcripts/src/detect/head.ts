/** The begin of a file: enough to know its format by. */
import { decode } from '../bytes/decode.ts';
import type { Snapshot } from '../bytes/snapshot.ts';
import { firstObjects, takeApart } from '../json/apart.ts';
import { prefixValue } from '../json/prefix.ts';
import { has, nameOf, objectOf, type JsonObject } from '../json/values.ts';

const LOOK_BYTES = 64 * 1024;
/** A first line may be longer than what is looked at; so far it is followed. */
const LONGEST_FIRST_LINE_BYTES = 8 * 1024 * 1024;
const LOOK_AT = 40;

export interface Head {
  readonly bytes: Buffer;
  /** Decoded, without byte order mark. */
  readonly text: string;
  /** Records on whole lines, at most 40. */
  readonly records: readonly JsonObject[];
  /** The first line that is not blank is an object of its own. */
  readonly firstIsObject: boolean;
  readonly whole: boolean;
}

/** Any object that is typed and placed: the format is not known yet. */
const anyRecord = (value: JsonObject): boolean =>
  nameOf(value['type']) !== null && ['timestamp', 'uuid', 'sessionId'].some((key) => has(value, key));

export async function readHead(snapshot: Snapshot): Promise<Head> {
  const chunks: Buffer[] = [];
  let length = 0,
    whole = true;
  for await (const chunk of decode(snapshot)) {
    chunks.push(chunk);
    length += chunk.length;
    whole = false;
    if (length >= LOOK_BYTES && !isLongFirstLine(chunks, length)) break;
    whole = true;
  }
  return headOf(Buffer.concat(chunks), whole);
}

/** Only text that begins like JSON is followed; anything else is refused quickly. */
function isLongFirstLine(chunks: readonly Buffer[], length: number): boolean {
  const begin = (chunks[0] ?? Buffer.alloc(0))
    .subarray(0, 64)
    .toString('latin1')
    .replace(/^[\u00ef\u00bb\u00bf\s\0]+/u, '');
  return begin.startsWith('{') && length < LONGEST_FIRST_LINE_BYTES && !chunks.some((chunk) => chunk.includes(10));
}

/** The begin of one long line: records that are glued, or one object whose inner ones are none. Such an object may be a whole document. */
function cutHead(bytes: Buffer, text: string): Head {
  const glued = firstObjects(text, LOOK_AT);
  if (glued.length > 0) return { bytes, text, records: glued, firstIsObject: true, whole: false };
  const begin = objectOf(prefixValue(text));
  return { bytes, text, records: begin === null ? [] : [begin], firstIsObject: false, whole: false };
}

function headOf(bytes: Buffer, whole: boolean): Head {
  const text = bytes.toString('utf8').replace(/^\0*\uFEFF?/u, '');
  const lines = text.split('\n');
  if (!whole && lines.length === 1) return cutHead(bytes, text);
  if (!whole) lines.pop();
  const found: LineHead[] = [];
  let records = 0;
  for (const line of lines) {
    if (records >= LOOK_AT) break;
    if (line.replaceAll('\0', '').trim() === '') continue;
    const one = lineHead(line.endsWith('\r') ? line.slice(0, -1) : line);
    records += one.records.length;
    found.push(one);
  }
  if (!areLines(found)) return { bytes, text, records: [], firstIsObject: false, whole };
  return {
    bytes,
    text,
    records: found.flatMap((one) => one.records).slice(0, LOOK_AT),
    firstIsObject: found[0]?.beginsWhole === true,
    whole,
  };
}

interface LineHead {
  readonly records: readonly JsonObject[];
  readonly beginsWhole: boolean;
  /** Objects and nothing else. */
  readonly isWhole: boolean;
  /** An object and a comma, as in a list. */
  readonly isListed: boolean;
}

function lineHead(line: string): LineHead {
  const { records, skipped } = takeApart(line, anyRecord);
  const beginsWhole = firstObjects(line, 1).length > 0;
  return {
    records: records.map(({ value }) => value),
    beginsWhole,
    isWhole: records.length > 0 && skipped.length === 0,
    isListed: beginsWhole && /\},\s*$/u.test(line),
  };
}

/** False: what was found are objects inside a document, which is torn where it cannot be read as a whole. */
function areLines(found: readonly LineHead[]): boolean {
  const isList = found[0]?.beginsWhole !== true && found.some(({ isListed }) => isListed);
  return !isList && found.some(({ isWhole }) => isWhole);
}
