/** Reads the messages of a request body, or of a bare list of them. */
import type { RecordReader } from '../formats.ts';
import { nameOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { note, skip, type Step } from '../steps.ts';
import { blocksOf, userContent } from './media.ts';
import { userSteps, type Dialect } from './messages.ts';
import { tellTexts } from './origins.ts';
import { replySteps } from './reply.ts';

const dialect: Dialect = { format: 'anthropic', tell: tellTexts };

export class AnthropicReader implements RecordReader {
  /** Index of the assistant message that a reply was to continue; -1: none. */
  readonly #prefill: number;
  #begun = false;

  constructor(prefill: number) {
    this.#prefill = prefill;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    const { content } = value;
    const role = nameOf(value['role']);
    if (content !== null && typeof content !== 'string' && !Array.isArray(content)) return [skip('malformed', 'no content')];
    const steps = this.#steps(role, value, at);
    this.#begun ||= steps.some((step) => step.do === 'user' || step.do === 'assistant');
    return steps;
  }

  #steps(role: string | null, message: JsonObject, at: number): readonly Step[] {
    if (role === 'user') return userSteps(blocksOf(message['content']), at, dialect);
    if (role === 'system') return this.#system(message);
    if (role !== 'assistant') return [skip('unknown-role', role ?? 'no role')];
    const steps = replySteps(message, at, 'anthropic');
    return at === this.#prefill
      ? [note('prefill'), ...steps.map((step) => (step.do === 'assistant' ? { ...step, finish: 'other' as const } : step))]
      : steps;
  }

  /** New models take one in mid-conversation; before it the list may begin with one, as other wires do. */
  #system(message: JsonObject): readonly Step[] {
    const { content, images, notes } = userContent(blocksOf(message['content']));
    if (content.length === 0) return [skip('empty-user')];
    if (this.#begun) return [...notes, { do: 'user', origin: 'notice', content, images }];
    return [...notes, { do: 'facts', read: true, system: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }];
  }
}
