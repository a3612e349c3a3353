/** Exports: one object `{info, messages: [{info, parts}]}`. */
import type { DocumentFormat, Format } from '../formats.ts';
import { nameOf, objectOf } from '../json/values.ts';
import { layoutOf } from '../openai/layout.ts';
import { infoOf } from './assistant.ts';
import { NOTHING_KNOWN } from './facts.ts';
import { arrange } from './order.ts';
import { OpenCodeReader } from './reader.ts';
import { OpenCodeScout } from './scout.ts';

const format: Format = {
  name: 'opencode',
  position: 'index',
  isRecord: (value) => objectOf(value['info']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(infoOf(value)['role']) ?? '?',
  scout: () => new OpenCodeScout(),
  reader: () => new OpenCodeReader(NOTHING_KNOWN),
};

export const openCode: DocumentFormat = {
  format,
  layoutOf,
  arrange,
  kept: new Set(['info']),
  besideOf: (object) => ({
    id: nameOf(objectOf(object['info'])?.['id']),
    title: nameOf(objectOf(object['info'])?.['title']),
    tools: [],
    system: null,
    reply: null,
  }),
};
