/** Chat documents: one reader, three names. */
import type { Json, ToolSchema } from '@palimpsest/contracts';
import type { DocumentFormat, Format } from '../formats.ts';
import { listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { FormatName } from '../transcript.ts';
import type { Beside } from './beside.ts';
import { layoutOf } from './layout.ts';
import { ChatReader } from './reader.ts';

export type { Beside } from './beside.ts';

export const chat = (name: FormatName): Format => ({
  name,
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => ({ see: () => undefined, finish: () => ({ reader: () => new ChatReader(name), again: false }) }),
  reader: () => new ChatReader(name),
});

const KEPT = new Set(['tools', 'functions', 'response', 'id', 'title', 'instance_id', 'task_id', 'trial', 'system']);
export const chatDocument = (name: FormatName): DocumentFormat => ({ format: chat(name), layoutOf, kept: KEPT, besideOf });

const scalar = (value: Json | undefined): string | null => (typeof value === 'number' ? String(value) : nameOf(value));

export function besideOf(object: JsonObject): Beside {
  const task = scalar(object['task_id']);
  const trial = scalar(object['trial']);
  const id =
    task === null ? (nameOf(object['instance_id']) ?? nameOf(object['id'])) : `task-${task}${trial === null ? '' : `-trial-${trial}`}`;
  return {
    id,
    title: nameOf(object['title']) ?? nameOf(object['instance_id']),
    tools: toolsOf(object),
    system: textOf(object['system']),
    reply: replyOf(object),
  };
}

/** `tools` of a body, or the older `functions`. */
function toolsOf(object: JsonObject): ToolSchema[] {
  const listed = [...(listOf(object['tools']) ?? []), ...(listOf(object['functions']) ?? [])];
  return listed.flatMap((one) => {
    const tool = objectOf(objectOf(one)?.['function']) ?? objectOf(objectOf(one)?.['custom']) ?? objectOf(one);
    const name = nameOf(tool?.['name']);
    return tool === null || name === null
      ? []
      : [
          {
            name,
            description: textOf(tool['description']) ?? '',
            inputSchema: objectOf(tool['parameters']) ?? objectOf(tool['input_schema']) ?? { type: 'object', properties: {} },
          },
        ];
  });
}

/** A log of a call holds the response beside the body: it is the last message. */
function replyOf(object: JsonObject): Json | null {
  const response = objectOf(object['response']);
  const [choice] = listOf(response?.['choices']) ?? [];
  const message = objectOf(objectOf(choice)?.['message']);
  if (message === null) return null;
  const finish = objectOf(choice)?.['finish_reason'];
  const usage = response?.['usage'];
  return { ...(finish === undefined ? {} : { finish_reason: finish }), ...(usage === undefined ? {} : { usage }), ...message };
}
