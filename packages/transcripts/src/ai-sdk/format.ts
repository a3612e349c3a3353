/** Arrays of model messages and of UI messages, all generations; also under `messages` of an object. */
import type { DocumentFormat, Format } from '../formats.ts';
import { nameOf, textOf } from '../json/values.ts';
import { layoutOf } from '../openai/layout.ts';
import { NOTHING_KNOWN } from './facts.ts';
import { AiSdkReader } from './reader.ts';
import { ArrayScout } from './repeats.ts';

const format: Format = {
  name: 'ai-sdk',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => new ArrayScout(),
  reader: () => new AiSdkReader(NOTHING_KNOWN),
};

export const aiSdk: DocumentFormat = {
  format,
  layoutOf,
  kept: new Set(['id', 'title', 'system', 'instructions']),
  besideOf: (object) => ({
    id: nameOf(object['id']),
    title: nameOf(object['title']),
    tools: [],
    system: textOf(object['system']) ?? textOf(object['instructions']),
    reply: null,
  }),
};
