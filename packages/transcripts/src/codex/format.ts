/** Codex rollouts: one record a line, in the first generation one document. */
import type { DocumentFormat, Format } from '../formats.ts';
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { isHeader, isRecord, kindOf } from './envelope.ts';
import { CodexReader } from './reader.ts';
import { startsThread } from './threads.ts';
import { NOTHING_KNOWN } from './facts.ts';
import { Turns } from './turns.ts';

const rollout = (position: 'line' | 'index'): Format => ({
  name: 'codex',
  position,
  isRecord,
  startsSession: isHeader,
  startsAfter: startsThread,
  kindOf,
  scout: () => new Turns(),
  reader: () => new CodexReader(NOTHING_KNOWN),
});

export const codexLines: Format = rollout('line');

export const codexDocument: DocumentFormat = {
  format: rollout('index'),
  layoutOf: (value) => (listOf(objectOf(value)?.['items']) === null ? null : { many: false, key: 'items' }),
  kept: new Set(['session']),
  besideOf: (object: JsonObject) => {
    const session = objectOf(object['session']);
    return { id: nameOf(session?.['id']), title: null, tools: [], system: nameOf(session?.['instructions']), reply: null };
  },
};
