/** Reads the items of a trajectory: its history, or the steps it was made of where no history was saved. */
import type { ToolOutput, UserPart } from '@palimpsest/contracts';
import type { RecordReader } from '../formats.ts';
import { has, isBlank, listOf, nameOf, textOf, type JsonObject } from '../json/values.ts';
import { toolOutput, userContent } from '../openai/content.ts';
import { replySteps } from '../openai/reply.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type ResultStep, type Step } from '../steps.ts';
import type { UserOrigin } from '../transcript.ts';

export class SweAgentReader implements RecordReader {
  #begun = false;
  #asked = false;

  read({ at, value }: RecordPiece): readonly Step[] {
    const role = nameOf(value['role']);
    if (role === null) return isTaken(value) ? this.#taken(value) : [skip('unknown-role', 'no role')];
    const steps = this.#byRole(role, value, at);
    if (role !== 'system') this.#begun = true;
    return steps;
  }

  #byRole(role: string, item: JsonObject, at: number): readonly Step[] {
    switch (role) {
      case 'system':
        return this.#system(item);
      case 'user':
        return this.#user(item);
      case 'assistant':
        return replySteps(item, (index) => `call-${String(at)}-${String(index)}`);
      case 'tool':
        return results(item);
      default:
        return [skip('unknown-role', role)];
    }
  }

  #system(item: JsonObject): readonly Step[] {
    if (this.#begun || item['is_demo'] === true) return this.#said(item, 'notice');
    const { content: parts, notes } = userContent(item['content']);
    return [...notes, { do: 'facts', read: true, system: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }];
  }

  /** A demonstration is no request; the first other text is the task, everything after it came out of the environment. */
  #user(item: JsonObject): readonly Step[] {
    if (item['is_demo'] === true) return this.#said(item, 'notice');
    const steps = this.#said(item, this.#asked ? 'observation' : 'user_input');
    this.#asked ||= steps.some((step) => step.do === 'user');
    return steps;
  }

  #said(item: JsonObject, origin: UserOrigin): readonly Step[] {
    const { content: parts, images, notes } = userContent(item['content']);
    return parts.length === 0 ? [skip('empty-user')] : [...notes, { do: 'user', origin, content: parts, images, by: 'task' }];
  }

  /** One step of a trajectory without history. `query` repeats all that came before it and is left out. */
  #taken(step: JsonObject): readonly Step[] {
    const response = textOf(step['response']) ?? textOf(step['thought']) ?? '';
    const observation = textOf(step['observation']) ?? '';
    const content: UserPart[] = isBlank(observation) ? [] : [{ type: 'text', text: observation }];
    return [
      ...replySteps({ content: response }, () => ''),
      ...(content.length === 0 ? [] : [{ do: 'user' as const, origin: 'observation' as const, content, images: 0 }]),
    ];
  }
}

const isTaken = (value: JsonObject): boolean => has(value, 'observation') && (has(value, 'response') || has(value, 'action'));

/** One text answers every call of the list. */
function results(item: JsonObject): readonly Step[] {
  const listed = (listOf(item['tool_call_ids']) ?? []).map((id) => textOf(id) ?? '');
  const ids = listed.length > 0 ? listed : [textOf(item['tool_call_id']) ?? ''];
  const { output, images, notes } = toolOutput(item['content']);
  return [...notes, ...ids.map((id, index) => answer(id, output, index === 0 ? images : 0))];
}

const answer = (callId: string, output: ToolOutput, images: number): ResultStep => ({ do: 'result', callId, output, images });
