/** Gemini CLI: its own recording (a document, later one record a line) and checkpoints (the contents array). */
import type { DocumentFormat, Format } from '../formats.ts';
import { has, listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { Json } from '@palimpsest/contracts';
import { ContentsReader } from './contents.ts';
import { GeminiReader } from './reader.ts';
import { NOTHING_KNOWN } from './facts.ts';
import { Versions } from './versions.ts';

const typeOf = (value: JsonObject): string => nameOf(value['type']) ?? '';
const isHeader = (value: JsonObject): boolean => has(value, 'sessionId') && has(value, 'projectHash') && typeOf(value) === '';
const kindOf = (value: JsonObject): string =>
  typeOf(value) || (['$set', '$rewindTo'].find((key) => has(value, key)) ?? (isHeader(value) ? 'session' : '?'));

const recording = (position: 'line' | 'index'): Format => ({
  name: 'gemini-cli',
  position,
  isRecord: (value) =>
    isHeader(value) ||
    has(value, '$set') ||
    has(value, '$rewindTo') ||
    (has(value, 'id') && has(value, 'timestamp') && typeOf(value) !== ''),
  startsSession: isHeader,
  startsAfter: (seen, value) => {
    const id = isHeader(value) ? (nameOf(value['sessionId']) ?? '') : null;
    return id === null || seen.includes(id) ? { starts: false, seen } : { starts: true, seen: [id] };
  },
  kindOf,
  scout: () => new Versions(),
  reader: () => new GeminiReader(NOTHING_KNOWN),
});

export const geminiLines: Format = recording('line');

const contents: Format = {
  name: 'gemini-cli',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => ({ see: () => undefined, finish: () => ({ reader: () => new ContentsReader(), again: false }) }),
  reader: () => new ContentsReader(),
};

const besideOf = (object: JsonObject): ReturnType<DocumentFormat['besideOf']> => ({
  id: nameOf(object['sessionId']),
  title: nameOf(object['summary']),
  tools: [],
  system: null,
  reply: null,
});
const kept = new Set(['sessionId', 'summary']);

const geminiDocument: DocumentFormat = {
  format: recording('index'),
  layoutOf: (value) => (listOf(objectOf(value)?.['messages']) === null ? null : { many: false, key: 'messages' }),
  kept,
  besideOf,
};

const geminiContents: DocumentFormat = {
  format: contents,
  layoutOf: (value: Json) => {
    if (Array.isArray(value)) return { many: false, key: null };
    return listOf(objectOf(value)?.['history']) === null ? null : { many: false, key: 'history' };
  },
  kept,
  besideOf,
};

export const geminiOf = (value: Json): DocumentFormat => (geminiDocument.layoutOf(value) === null ? geminiContents : geminiDocument);
