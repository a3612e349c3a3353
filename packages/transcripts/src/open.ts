/** Opens a session file: what it is, and the first pass over it. */
import { createHash } from 'node:crypto';
import type { Json } from '@palimpsest/contracts';
import { errors } from '@palimpsest/contracts';
import { aiSdk } from './ai-sdk/format.ts';
import { anthropic } from './anthropic/format.ts';
import { decode } from './bytes/decode.ts';
import { takeSnapshot, type Snapshot } from './bytes/snapshot.ts';
import { claudeCode } from './claude-code/format.ts';
import { cline } from './cline/format.ts';
import { codexDocument, codexLines } from './codex/format.ts';
import { detectBytes } from './detect/bytes.ts';
import { describeDocument, detectDocument } from './detect/documents.ts';
import { readHead, type Head } from './detect/head.ts';
import { detectLines, isBody } from './detect/lines.ts';
import type { Verdict } from './detect/verdict.ts';
import type { DocumentFormat, Format } from './formats.ts';
import { geminiLines, geminiOf } from './gemini/format.ts';
import { goose, gooseLines } from './goose/format.ts';
import { hermes } from './hermes/format.ts';
import { ElementScanner } from './json/elements.ts';
import { prefixValue } from './json/prefix.ts';
import { tryParse, type JsonObject } from './json/values.ts';
import { scanJsonl } from './jsonl.ts';
import { LinesOfBodies } from './openai/bodies.ts';
import { arranged } from './openai/arranged.ts';
import { ParsedDocument, readable, type SessionDocument } from './openai/document.ts';
import { chatDocument } from './openai/format.ts';
import type { Layout } from './openai/layout.ts';
import { scanDocument } from './openai/open.ts';
import { StreamedDocument } from './openai/streamed.ts';
import { own } from './own/format.ts';
import { openCode } from './opencode/format.ts';
import { pi } from './pi/format.ts';
import { responses } from './responses/format.ts';
import { isStrange, strangersIn } from './recognition.ts';
import type { StreamedSession } from './session.ts';
import { sweAgent } from './swe-agent/format.ts';
import { formatNames, type FormatName, type ReadOptions, type TranscriptFile } from './transcript.ts';

const MEBIBYTE = 1024 * 1024;
interface Opening {
  readonly snapshot: Snapshot;
  readonly head: Head;
  readonly lineLimitBytes: number;
  readonly documentLimitBytes: number;
  readonly options: ReadOptions;
}
interface Opened {
  readonly format: FormatName;
  /** The document tells it by itself, so that it may hold no message yet. */
  readonly isTold?: boolean;
  scan(onRaw: (chunk: Buffer) => void): Promise<StreamedSession[]>;
}

const lineFormats = new Map<FormatName, Format>([
  ['pi', pi],
  ['claude-code', claudeCode],
  ['gemini-cli', geminiLines],
  ['codex', codexLines],
  ['goose', gooseLines],
  ['palimpsest', own],
]);
/** Formats of one document each, by what the document is; the rest are lists of chat messages. */
const documentFormats = new Map<FormatName, (value: Json) => DocumentFormat>([
  ['swe-agent', () => sweAgent],
  ['gemini-cli', geminiOf],
  ['codex', () => codexDocument],
  ['anthropic', () => anthropic],
  ['responses', () => responses],
  ['ai-sdk', () => aiSdk],
  ['opencode', () => openCode],
  ['hermes', () => hermes],
  ['goose', () => goose],
  ['cline', () => cline],
]);

/**
 * Detects the format by content and does the first pass, which keeps only small facts; a JSON document below the limit stays in memory.
 * @throws TRANSCRIPT_UNREADABLE (missing, a directory, no access), TRANSCRIPT_UNKNOWN_FORMAT (says what was seen),
 * TRANSCRIPT_UNSUPPORTED (a format that is recognised and not read), TRANSCRIPT_TORN (a document that ends early, with the byte).
 */
export async function openTranscript(file: string, options: ReadOptions = {}): Promise<TranscriptFile> {
  const snapshot = await takeSnapshot(file);
  if (snapshot.size === 0) throw unknownFormat({ snapshot, options }, 'an empty file');
  const head = await readHead(snapshot);
  const { lineLimitBytes = 64 * MEBIBYTE, documentLimitBytes = 32 * MEBIBYTE } = options;
  const opened = await identify({ snapshot, head, lineLimitBytes, documentLimitBytes, options });
  const hash = createHash('sha256');
  const sessions = await opened.scan((chunk) => {
    hash.update(chunk);
  });
  if (sessions.length === 0) throw unknownFormat({ snapshot, options }, 'no record at all');
  const recognitions = sessions.map(({ recognition }) => recognition);
  if (isStrange(recognitions, opened.isTold === true))
    throw unknownFormat({ snapshot, options }, `no record of ${opened.format}${strangersIn(recognitions)}`);
  return { file, format: opened.format, sha256: hash.digest('hex'), sessions };
}

async function identify(opening: Opening): Promise<Opened> {
  const { snapshot, head, options } = opening;
  const byBytes = detectBytes(head.bytes);
  if (byBytes !== null && 'refused' in byBytes) throw errors.transcriptUnsupported(snapshot.file, byBytes.refused);
  if (options.format !== undefined && lineFormats.has(options.format) && !isOneDocument(options.format, head))
    return openLines(opening, { format: options.format });
  const byLines = options.format === undefined ? detectLines(head.records) : null;
  if (byLines !== null && head.firstIsObject) return openLines(opening, byLines);
  if (/^\s*[[{]/u.test(head.text)) {
    const found = await identifyDocument(opening, byLines === null);
    if (found !== null) return found;
  }
  if (byLines !== null) return openLines(opening, byLines);
  throw unknownFormat(opening, seenIn(head));
}

const unknownFormat = ({ snapshot, options }: Pick<Opening, 'snapshot' | 'options'>, seen: string): Error =>
  errors.transcriptUnknownFormat(snapshot.file, seen, options.format ?? null, formatNames);

/** Some formats are lines in one age and a document in another. */
function isOneDocument(format: FormatName, { text, records }: Head): boolean {
  if (records.length > 1 || !/^\s*[[{]/u.test(text)) return false;
  const begin = prefixValue(text);
  return begin !== undefined && (documentFormats.get(format)?.(begin).layoutOf(begin) ?? null) !== null;
}

function openLines({ snapshot, lineLimitBytes, options }: Opening, verdict: Verdict): Opened {
  const name = formatOf(snapshot, verdict);
  const format = lineFormats.get(name) ?? pi;
  return { format: name, scan: (onRaw) => scanJsonl({ snapshot, format, lineLimitBytes }, options.tree === true, onRaw) };
}

/** Null: no document, and lines may be tried. `last`: nothing else is left to try. */
async function identifyDocument(opening: Opening, last: boolean): Promise<Opened | null> {
  const { snapshot, head, documentLimitBytes, lineLimitBytes } = opening;
  if (head.firstIsObject && (head.records.length > 1 || !head.whole) && head.records.every(isBody)) {
    return openDocument(opening, tellingBody(head.records), (_, reading) => new LinesOfBodies(snapshot, lineLimitBytes, reading.layoutOf));
  }
  const notes: string[] = [];
  const bytes = await wholeText(snapshot, documentLimitBytes, notes);
  if (bytes === null) return identifyLarge(opening, last);
  const { text, notes: around } = unpadded(bytes.toString('utf8'));
  const parsed = tryParse(text);
  if (parsed !== undefined) {
    const { value, notes: odd } = readable(parsed, bytes);
    const all = [...around, ...odd, ...notes];
    return openDocument(opening, value, (layout) => new ParsedDocument(snapshot, value, layout, all));
  }
  if (last) throw unparsed(opening, bytes);
  return null;
}

/** A document above the limit: known by its begin. */
function identifyLarge(opening: Opening, last: boolean): Opened | null {
  const { snapshot, head, lineLimitBytes, options } = opening;
  const begin = prefixValue(head.text);
  if (begin !== undefined && (last || options.format !== undefined || detectDocument(begin) !== null))
    return openDocument(opening, begin, (layout) => new StreamedDocument(snapshot, layout, lineLimitBytes));
  if (last) throw unknownFormat(opening, seenIn(head));
  return null;
}

/** A log may begin with bodies that fit several formats. */
const tellingBody = (bodies: readonly JsonObject[]): JsonObject => {
  const tells = (body: JsonObject): boolean => {
    const verdict = detectDocument(body);
    return verdict !== null && 'format' in verdict && verdict.format !== 'openai-chat';
  };
  return bodies.find(tells) ?? bodies[0] ?? {};
};

function openDocument(opening: Opening, value: Json, make: MakeDocument): Opened {
  const { snapshot, options } = opening;
  const told = detectDocument(value);
  const verdict: Verdict | null = options.format === undefined ? told : { format: options.format };
  if (verdict === null) throw unknownFormat(opening, describeDocument(value));
  const name = formatOf(snapshot, verdict);
  const reading = documentFormats.get(name)?.(value) ?? chatDocument(name);
  const layout = reading.layoutOf(value);
  if (layout === null) throw unknownFormat(opening, describeDocument(value));
  const isTold = told !== null && 'format' in told && told.format === name;
  return { format: name, isTold, scan: (onRaw) => scanList(make, layout, reading, onRaw) };
}

type MakeDocument = (layout: Layout, reading: DocumentFormat) => SessionDocument;

async function scanList(
  make: MakeDocument,
  layout: Layout,
  reading: DocumentFormat,
  onRaw: (chunk: Buffer) => void,
): Promise<StreamedSession[]> {
  const { sessions, elements } = await scanDocument(arranged(make(layout, reading), reading), reading, onRaw);
  if (elements > 0 || reading.otherwise === undefined) return sessions;
  return (await scanDocument(make(reading.otherwise, reading), reading, () => undefined)).sessions;
}

function formatOf(snapshot: Snapshot, verdict: Verdict): FormatName {
  if ('refused' in verdict) throw errors.transcriptUnsupported(snapshot.file, verdict.refused);
  return verdict.format;
}

/** A mark of the byte order is taken away, and the NUL bytes that a crash leaves around a text. */
function unpadded(text: string): { readonly text: string; readonly notes: readonly string[] } {
  const isNul = (at: number): boolean => text.charCodeAt(at) === 0;
  let [from, to] = [0, text.length];
  while (from < to && isNul(from)) from += 1;
  while (to > from && isNul(to - 1)) to -= 1;
  const marked = text.startsWith('\uFEFF', from);
  const hadNul = to - from < text.length;
  return { text: text.slice(marked ? from + 1 : from, to), notes: [...(marked ? ['bom'] : []), ...(hadNul ? ['nul'] : [])] };
}

/** Null: above the limit. */
async function wholeText(snapshot: Snapshot, limitBytes: number, notes: string[]): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of decode(snapshot, 0, {
    onNote: (reason) => {
      notes.push(reason);
    },
  })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limitBytes) return null;
  }
  return Buffer.concat(chunks);
}

/** A document that ends early is torn; one with a fault inside is nothing known. */
function unparsed(opening: Opening, text: Buffer): Error {
  const scanner = new ElementScanner({ descend: () => false, keepBytes: () => 0 });
  const written = text.subarray(0, text.findLastIndex((byte) => byte !== 0) + 1);
  scanner.push(written);
  return scanner.done
    ? unknownFormat(opening, `${opening.head.records.length > 1 ? '' : 'JSON that does not parse; '}${seenIn(opening.head)}`)
    : errors.transcriptTorn(opening.snapshot.file, written.length);
}

/** A few words for the error, in printable characters. */
function seenIn({ bytes, text, records }: Head): string {
  if (bytes.length === 0) return 'compressed data that gives no text; it is cut or damaged at its begin';
  if (text.replaceAll('\0', '').trim() === '') return 'only white space';
  const kinds = [...new Set(records.map((record) => (typeof record['type'] === 'string' ? record['type'].slice(0, 40) : 'none')))].slice(
    0,
    8,
  );
  const keys = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 8).map((key) => key.slice(0, 40));
  if (records.length > 1 && kinds.join() === 'none') return `a JSON object a line, without a type, with the keys ${keys.join(', ')}`;
  if (records.length > 0) return `${String(records.length)} JSON object(s) with the types ${kinds.join(', ')}`;
  const begin = text.slice(0, 40).replace(/[^\x20-\x7e]/gu, '?');
  return `no JSON object on its first lines; it begins with "${begin}"`;
}
