/** Exports (one object with `conversation`) and legacy files (a header line, then one message a line). */
import type { DocumentFormat, Format } from '../formats.ts';
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { GooseReader, GooseScout, isHeader } from './reader.ts';
import { isMessage } from './visibility.ts';

const formatAt = (position: 'line' | 'index'): Format => ({
  name: 'goose',
  position,
  isRecord: (value) => isHeader(value) || (isMessage(value) && Object.hasOwn(value, 'created')),
  startsSession: isHeader,
  kindOf: (value) => nameOf(value['role']) ?? (isHeader(value) ? 'header' : '?'),
  scout: () => new GooseScout(),
  reader: () => new GooseReader([]),
});

export const gooseLines = formatAt('line');
export const goose: DocumentFormat = {
  format: formatAt('index'),
  layoutOf: (value) => {
    if (!Array.isArray(value)) return listOf(objectOf(value)?.['conversation']) === null ? null : { many: false, key: 'conversation' };
    return value.some((one) => listOf(objectOf(one)?.['conversation']) !== null) ? { many: true, key: 'conversation' } : null;
  },
  kept: new Set(['id', 'name', 'description']),
  besideOf: (object: JsonObject) => ({
    id: nameOf(object['id']),
    title: nameOf(object['name']) ?? nameOf(object['description']),
    tools: [],
    system: null,
    reply: null,
  }),
};
