/** SWE-agent trajectories: a document with a history, or with nothing but the steps taken. */
import type { DocumentFormat, Format } from '../formats.ts';
import { listOf, nameOf, objectOf, type JsonObject } from '../json/values.ts';
import { SweAgentReader } from './reader.ts';

const format: Format = {
  name: 'swe-agent',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => {
    const role = nameOf(value['role']);
    return role === null ? 'step' : value['is_demo'] === true ? `${role}/demo` : role;
  },
  scout: () => ({ see: () => undefined, finish: () => ({ reader: () => new SweAgentReader(), again: false }) }),
  reader: () => new SweAgentReader(),
};

/** The history is what the model saw. In a file too large to be parsed whole it may stand behind the steps, so it is tried first. */
export const sweAgent: DocumentFormat = {
  format,
  layoutOf: (value) => {
    if (Array.isArray(value)) return { many: false, key: null };
    const object = objectOf(value);
    if (object === null || !['history', 'trajectory'].some((key) => listOf(object[key]) !== null)) return null;
    return { many: false, key: 'history' };
  },
  otherwise: { many: false, key: 'trajectory' },
  kept: new Set(['instance_id', 'environment']),
  besideOf: (object: JsonObject) => {
    const name = nameOf(object['instance_id']);
    return { id: name, title: name, tools: [], system: null, reply: null };
  },
};
