/** A list of messages (`api_conversation_history.json`), or the SDK's session object. */
import type { DocumentFormat, Format } from '../formats.ts';
import { toolsOf } from '../anthropic/format.ts';
import { nameOf, textOf } from '../json/values.ts';
import { layoutOf } from '../openai/layout.ts';
import { ClineReader } from './reader.ts';

const format: Format = {
  name: 'cline',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => ({ see: () => undefined, finish: () => ({ reader: () => new ClineReader(), again: false }) }),
  reader: () => new ClineReader(),
};

export const cline: DocumentFormat = {
  format,
  layoutOf,
  kept: new Set(['sessionId', 'title', 'system_prompt', 'tools']),
  besideOf: (object) => ({
    id: nameOf(object['sessionId']),
    title: nameOf(object['title']),
    tools: toolsOf(object['tools']),
    system: textOf(object['system_prompt']),
    reply: null,
  }),
};
