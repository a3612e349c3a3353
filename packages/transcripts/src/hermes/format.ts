/** Exports: a session object with its `messages`, one alone, one a line, or a list of them. */
import type { DocumentFormat, Format } from '../formats.ts';
import { nameOf, textOf } from '../json/values.ts';
import { layoutOf } from '../openai/layout.ts';
import { HermesReader, HermesScout } from './reader.ts';

const format: Format = {
  name: 'hermes',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => new HermesScout(),
  reader: () => new HermesReader(new Set(), null),
};

export const hermes: DocumentFormat = {
  format,
  layoutOf,
  kept: new Set(['id', 'session_id', 'title', 'system_prompt', 'segments', 'lineage_session_ids']),
  besideOf: (session) => ({
    id: nameOf(session['id']) ?? nameOf(session['session_id']),
    title: nameOf(session['title']),
    tools: [],
    system: textOf(session['system_prompt']),
    reply: null,
  }),
};
