/**
 * What an error says, gathered from every shape it comes in: thrown objects, JSON bodies, JSON inside JSON strings, stream frames, text.
 */

export interface Evidence {
  /** HTTP status, or null where none is known. */
  readonly status: number | null;
  /** Messages, types and codes, one per line. Text that a model or a user wrote is left out where its key tells. */
  readonly text: string;
  /** The one line to show. */
  readonly message: string;
}

/** Keys whose values are somebody's content and may quote anything. */
const content = new Set([
  'failed_generation',
  'requestBodyValues',
  'requestBody',
  'messages',
  'prompt',
  'responseHeaders',
  'headers',
  'url',
  'stack',
]);
const DEPTH = 8;
const MESSAGE_CHARS = 2_000;
/** A body may echo the whole request; what a provider says of its own stands at the front. Characters. */
const LINE_CHARS = 20_000;

export function evidenceOf(error: unknown): Evidence {
  const gathered: Gathered = { lines: [], status: null };
  gather(error, gathered, 0);
  const lines = [...new Set(gathered.lines)].map((line) => line.slice(0, LINE_CHARS));
  return { status: gathered.status, text: lines.join('\n'), message: headline(lines) };
}

/** The fullest of what stands in front: a package that could not read a body leaves `Bad Request` there. */
function headline(lines: readonly string[]): string {
  const [longest = 'no message'] = lines.slice(0, 3).sort((one, other) => other.length - one.length);
  return longest.slice(0, MESSAGE_CHARS);
}

interface Gathered {
  readonly lines: string[];
  status: number | null;
}

function gather(value: unknown, into: Gathered, depth: number): void {
  if (depth > DEPTH || value === null || value === undefined) return;
  if (typeof value === 'string') {
    gatherText(value, into, depth);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) gather(item, into, depth + 1);
    return;
  }
  if (typeof value === 'object') gatherObject(value, into, depth);
}

/** A body or a message: JSON is taken apart, anything else is a line. */
function gatherText(text: string, into: Gathered, depth: number): void {
  const trimmed = text.trim();
  if (trimmed === '') return;
  const parsed = /^[[{]/u.test(trimmed) ? parsedJson(trimmed) : undefined;
  if (parsed === undefined) into.lines.push(trimmed);
  else gather(parsed, into, depth + 1);
}

function gatherObject(value: object, into: Gathered, depth: number): void {
  if (value instanceof Error) into.lines.push(...[value.message, value.name].filter((line) => line !== '' && line !== 'Error'));
  for (const [key, inner] of entriesOf(value)) {
    if (content.has(key)) continue;
    if (typeof inner === 'number') gatherNumber(key, inner, into);
    else gather(inner, into, depth + 1);
  }
}

/** The cause of an error is not enumerable where the language made it. */
function entriesOf(value: object): [string, unknown][] {
  const own = Object.entries(value);
  return value instanceof Error && value.cause !== undefined && !own.some(([key]) => key === 'cause')
    ? [...own, ['cause', value.cause]]
    : own;
}

const statusKeys = new Set(['statusCode', 'status', 'status_code', 'http_code', 'code']);
function gatherNumber(key: string, value: number, into: Gathered): void {
  if (statusKeys.has(key) && value >= 100 && value < 600) into.status ??= value;
  else into.lines.push(`${key}=${String(value)}`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
