/** Reads a checkpoint: the contents array as it is sent to the model. */
import type { Json } from '@palimpsest/contracts';
import type { RecordReader } from '../formats.ts';
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type ResultStep, type Step } from '../steps.ts';
import { assistantContent, isResponse, partsOf, toolOutput, userContent } from './content.ts';
import { acknowledgement, compactionSteps } from './messages.ts';
import { isSetup, isSnapshot, originOf } from './origins.ts';

export class ContentsReader implements RecordReader {
  /** Open calls of each name, oldest first: in old files calls and responses have no ids. */
  readonly #open = new Map<string, string[]>();
  #isAnswering = false;
  #madeUp: 'handoff' | 'notice' | null = null;

  read({ at, value }: RecordPiece): readonly Step[] {
    const role = nameOf(value['role']);
    const parts = partsOf(value['parts']);
    if (role === 'model') return this.#model(parts, at);
    if (role === 'user' || role === 'function') return this.#user(parts, at);
    return [skip('unknown-role', role ?? 'no role')];
  }

  #model(parts: readonly Json[], at: number): readonly Step[] {
    if (this.#isAnswering) this.#open.clear();
    this.#isAnswering = false;
    const said = assistantContent(parts, (call, index) => this.#called(call, `call-${String(at)}-${String(index)}`));
    const text = said.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const calls = said.parts.filter((part) => part.type === 'tool-call').length;
    const made = this.#madeUp === null ? null : acknowledgement(text, calls, at, this.#madeUp);
    this.#madeUp = null;
    if (made !== null) return [made];
    return [
      ...said.notes,
      {
        do: 'assistant',
        key: null,
        parts: said.parts,
        thinking: said.thinking,
        signed: said.signed,
        usage: null,
        finish: null,
        empty: {},
      },
    ];
  }

  #called(call: JsonObject, fallback: string): string {
    const id = nameOf(call['id']) ?? fallback;
    const name = nameOf(call['name']) ?? '';
    this.#open.set(name, [...(this.#open.get(name) ?? []), id]);
    return id;
  }

  #user(parts: readonly Json[], at: number): readonly Step[] {
    this.#isAnswering = true;
    const all = parts;
    const results = resultGroups(all).map((group) => this.#result(group));
    const { content, images, notes } = userContent(results.length > 0 ? all.filter((part) => !belongs(all, part)) : all);
    if (content.length === 0) return results.length > 0 ? results : [skip('empty-user')];
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    this.#madeUp = texts.some(isSnapshot) ? 'handoff' : at === 0 && texts.some(isSetup) ? 'notice' : null;
    if (this.#madeUp === 'handoff') return [...results, ...compactionSteps(content, at)];
    const by = content.every((part) => part.type === 'image') ? 'image' : 'typed';
    return [...results, ...notes, { do: 'user', origin: originOf(content), content, images, by }];
  }

  #result(group: readonly Json[]): ResultStep {
    const response = objectOf(objectOf(group[0])?.['functionResponse']) ?? {};
    const made = toolOutput([...group], false);
    return {
      do: 'result',
      callId: this.#answers(response),
      output: made?.output ?? { type: 'text', value: '' },
      images: made?.images ?? 0,
    };
  }

  /** By id where there is one, else the oldest open call of the name. */
  #answers(response: JsonObject): string {
    const open = this.#open.get(nameOf(response['name']) ?? '') ?? [];
    const id = nameOf(response['id']);
    const at = id === null || !open.includes(id) ? 0 : open.indexOf(id);
    if (id !== null && !open.includes(id) && open.length === 0) return id;
    return open.splice(at, 1)[0] ?? `function ${nameOf(response['name']) ?? ''}`;
  }
}

/** A response, and the pictures that stand directly behind it. */
function resultGroups(parts: readonly Json[]): Json[][] {
  const groups: Json[][] = [];
  for (const part of parts) {
    if (isResponse(part)) groups.push([part]);
    else if (isPicture(part)) groups.at(-1)?.push(part);
  }
  return groups;
}
const isPicture = (part: Json): boolean => objectOf(objectOf(part)?.['inlineData']) !== null;
const belongs = (parts: readonly Json[], part: Json): boolean =>
  isResponse(part) || (isPicture(part) && parts.slice(0, parts.indexOf(part)).some(isResponse));
