/** Our own export as a transcript: what was shown is read, everything else is hidden or session data. */
import type { Body, Entry, Json } from '@palimpsest/contracts';
import { z } from 'zod';
import type { RecordReader } from '../formats.ts';
import { parseText, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type FactsStep, type Step } from '../steps.ts';
import { readOwnLine } from './lines.ts';

export interface OwnFacts {
  /** Numbers of records on branches that were left; empty in linear order. */
  readonly left: ReadonlySet<number>;
}

export class OwnReader implements RecordReader {
  readonly #facts: OwnFacts;
  readonly #ids = new Set<string>();
  /** Until the first prompt names them. */
  readonly #texts = new Map<string, string>();
  #prompted = false;
  #number = -1;

  constructor(facts: OwnFacts) {
    this.#facts = facts;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    this.#number++;
    const found = readOwnLine(value);
    if ('problem' in found) return [skip('malformed', found.problem)];
    if (found.kind === 'session') {
      const { id, name } = found.header;
      return [{ do: 'facts', id, ...(name === null ? {} : { title: { text: name, rank: 1 } }) }];
    }
    if (found.kind === 'artifact') return this.#artifact(found.artifact);
    if (this.#ids.has(found.entry.id)) return [skip('duplicate')];
    this.#ids.add(found.entry.id);
    if (this.#facts.left.has(this.#number)) return [skip('rewound', 'on a branch that was left')];
    return this.#entry(found.entry, at);
  }

  #artifact({ id, kind, body }: { readonly id: string; readonly kind: string; readonly body: string }): readonly Step[] {
    if (!this.#prompted && (kind === 'system_prompt' || kind === 'tool_schemas')) this.#texts.set(id, body);
    return [];
  }

  #entry(entry: Entry, at: number): readonly Step[] {
    switch (entry.kind) {
      case 'message':
        return messageSteps(entry, at);
      case 'prompt':
        return this.#prompt(entry);
      case 'step': {
        const reply = entry.outcome.kind === 'reply' ? entry.outcome.reply : null;
        return entry.usage === null ? [] : [{ do: 'usage', key: reply, usage: entry.usage }];
      }
      case 'compaction':
        return [hidden({ ...bodyOf(entry), segments: [], hidden: true })];
      case 'model-change':
        return [hidden({ kind: 'model-change', model: entry.model, role: entry.role, reason: 'imported' })];
      case 'custom':
        return entry.shown === null || entry.shown.trim() === ''
          ? [hidden({ kind: 'custom', by: entry.by, key: entry.key, data: entry.data, shown: null })]
          : [{ do: 'user', origin: 'notice', content: [{ type: 'text', text: entry.shown }], images: 0 }];
      default:
        return [keptStep(entry)];
    }
  }

  /** The first prompt is the session's. */
  #prompt(entry: Extract<Entry, { kind: 'prompt' }>): readonly Step[] {
    if (this.#prompted) return [];
    this.#prompted = true;
    const system = this.#texts.get(entry.system);
    const tools = schemas.safeParse(parseText(this.#texts.get(entry.tools) ?? '[]'));
    this.#texts.clear();
    const facts: FactsStep = {
      do: 'facts',
      read: true,
      ...(system === undefined ? {} : { system }),
      ...(tools.success ? { tools: tools.data } : {}),
    };
    return [facts];
  }
}

const schemas = z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.json() }));
const hidden = (body: Body): Step => ({ do: 'hidden', body });

/** The other side of an entry names entries of the session it came from, so it is kept as data. */
function keptStep(entry: Entry): Step {
  const { kind, ...rest } = bodyOf(entry);
  const step: Step = {
    do: 'hidden',
    body: { kind: 'custom', by: 'palimpsest', key: kind, data: JSON.parse(JSON.stringify(rest)) as Json, shown: null },
  };
  return kind === 'reduction' ? { ...step, reduction: true } : step;
}

function bodyOf<E extends Entry>(entry: E): Omit<E, 'id' | 'parent' | 'session' | 'seq' | 'depth' | 'time' | 'turn' | 'tokens'> {
  const {
    id: _id,
    parent: _parent,
    session: _session,
    seq: _seq,
    depth: _depth,
    time: _time,
    turn: _turn,
    tokens: _tokens,
    ...rest
  } = entry;
  return rest;
}

function messageSteps(entry: Extract<Entry, { kind: 'message' }>, at: number): readonly Step[] {
  const { id, origin, message } = entry;
  if (entry.hidden === true || origin === 'handoff')
    return [hidden({ kind: 'message', origin, message, hidden: true, source: { format: 'palimpsest', line: at } })];
  if (message.role === 'tool')
    return message.content.map((part) => ({
      do: 'result',
      callId: part.toolCallId,
      output: part.output,
      images: part.output.type === 'content' ? part.output.value.filter((one) => one.type === 'image-data').length : 0,
    }));
  if (message.role === 'user') {
    const asked = origin === 'model' || origin === 'tool' ? 'user_input' : origin;
    if (message.content.length === 0) return [skip('empty-user')];
    const images = message.content.filter((part) => part.type === 'image').length;
    return [{ do: 'user', origin: asked, content: message.content, images, by: images === message.content.length ? 'image' : 'typed' }];
  }
  return [
    {
      do: 'assistant',
      key: id,
      parts: message.content,
      thinking: message.content.filter((part) => part.type === 'reasoning').length,
      signed: message.content.filter((part) => part.type === 'opaque').length,
      usage: null,
      finish: null,
      empty: {},
    },
  ];
}

export const isOwnRecord = (value: JsonObject): boolean => !('problem' in readOwnLine(value));
