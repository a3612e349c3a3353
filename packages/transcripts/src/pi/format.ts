/** pi and its family: a header line, then one record a line. */
import type { Format } from '../formats.ts';
import { has, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { PiReader } from './reader.ts';
import { recordTable } from './records.ts';
import { PiScout } from './scout.ts';

export const pi: Format = {
  name: 'pi',
  position: 'line',
  isRecord: (value) => recordTable.has(typeOf(value)) && (has(value, 'timestamp') || has(value, 'id')),
  startsSession: (value) => value['type'] === 'session',
  kindOf: (value) =>
    typeOf(value) === 'message' ? `message/${nameOf(objectOf(value['message'])?.['role']) ?? '?'}` : typeOf(value) || '?',
  scout: (tree) => new PiScout(tree),
  reader: () => new PiReader({ left: new Set(), patches: new Map(), tree: false }),
};

const typeOf = (value: JsonObject): string => nameOf(value['type']) ?? '';
