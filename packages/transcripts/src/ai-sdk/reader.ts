/** Reads the messages of an array, each by its own generation. */
import type { RecordReader } from '../formats.ts';
import { keptData } from '../kept.ts';
import { listOf, nameOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { note, skip, type Step } from '../steps.ts';
import { assistantSteps, attachmentsOf, blocksOf, toolSteps, userParts, userSteps } from './model-messages.ts';
import type { ArrayFacts } from './facts.ts';
import { partsOf, uiAssistantSteps, uiUserSteps } from './ui-messages.ts';

export class AiSdkReader implements RecordReader {
  readonly #facts: ArrayFacts;
  #begun = false;

  constructor(facts: ArrayFacts) {
    this.#facts = facts;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    if (this.#facts.superseded.has(at)) return [skip('superseded')];
    const steps = this.#steps(value, at);
    this.#begun ||= steps.some((step) => step.do === 'user' || step.do === 'assistant');
    return this.#facts.repeated.has(at) ? [note('id-repeated'), ...steps] : steps;
  }

  #steps(message: JsonObject, at: number): readonly Step[] {
    const isUi = listOf(message['parts']) !== null;
    switch (message['role']) {
      case 'system':
        return this.#system(isUi ? partsOf(message) : blocksOf(message['content']));
      case 'user':
        return isUi ? uiUserSteps(message) : userSteps([...blocksOf(message['content']), ...attachmentsOf(message)]);
      case 'assistant':
        return isUi ? uiAssistantSteps(message, at) : assistantSteps(message, at);
      case 'tool':
        return toolSteps(message, (approvalId) => this.#facts.unanswered.get(approvalId) ?? null);
      case 'data':
        return [keptData('ai-sdk', 'data', message)];
      default:
        return [skip('unknown-role', nameOf(message['role']) ?? 'no role')];
    }
  }

  /** The prompt entry; in mid-conversation a notice. */
  #system(parts: readonly JsonObject[]): readonly Step[] {
    const { content, notes } = userParts(parts);
    if (!this.#begun)
      return [...notes, { do: 'facts', read: true, system: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }];
    if (content.length === 0) return [skip('empty-user')];
    return [...notes, { do: 'user', origin: 'notice', content, images: 0 }];
  }
}
