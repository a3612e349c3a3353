/**
 * Items of the Responses API, one after another, as steps. Successive reasoning, assistant and call items are one assistant message
 * up to the next output or user item.
 */
import type { AssistantPart, Finish, Usage } from '@palimpsest/contracts';
import { compactionMark, keptData } from '../kept.ts';
import { isBlank, nameOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { note, skip, type AssistantStep, type Step } from '../steps.ts';
import type { FormatName } from '../transcript.ts';
import { callOf, hostedParts, isOutput, outputSteps } from './calls.ts';
import { blocksOf, blockText, opaqueItem, reasoningParts, userContent } from './content.ts';

/** What else is known of the message that an item belongs to. */
export interface Ending {
  readonly usage: Usage | null;
  readonly finish: Finish | null;
}
const OPEN: Ending = { usage: null, finish: null };

const COMPACTIONS = new Set(['compaction', 'compaction_summary', 'context_compaction']);
const KEPT = new Set([
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'compaction_trigger',
  'additional_tools',
  'configuration_update',
  'agent_message',
]);

export class ResponseItems {
  readonly #format: FormatName;
  #message = 0;
  #begun = false;

  constructor(format: FormatName) {
    this.#format = format;
  }

  /** The next assistant item begins another message. */
  endMessage(): void {
    this.#message++;
  }

  /** `at`: line or index of the record that holds the item. */
  read(item: JsonObject, at: number, ending: Ending = OPEN): readonly Step[] {
    const type = nameOf(item['type']);
    const steps =
      type === 'message' || (type === null && nameOf(item['role']) !== null)
        ? this.#said(item, ending)
        : this.#typed(item, type ?? '', at, ending);
    this.#begun ||= steps.some((step) => step.do === 'user' || step.do === 'assistant');
    return steps;
  }

  #said(item: JsonObject, ending: Ending): readonly Step[] {
    const role = nameOf(item['role']);
    if (role === 'assistant') return this.#assistant(assistantParts(item), ending);
    if (role !== 'user' && role !== 'system' && role !== 'developer') return [skip('unknown-role', role ?? 'no role')];
    this.endMessage();
    const { content, images, notes } = userContent(item['content']);
    if (role !== 'user' && !this.#begun)
      return [...notes, { do: 'facts', read: true, system: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }];
    if (content.length === 0) return [skip('empty-user')];
    const by = content.every((part) => part.type === 'image') ? 'image' : 'typed';
    return [...notes, { do: 'user', origin: role === 'user' ? 'user_input' : 'notice', content, images, by }];
  }

  #typed(item: JsonObject, type: string, at: number, ending: Ending): readonly Step[] {
    if (type === 'reasoning') {
      const { parts, signed } = reasoningParts(item);
      return this.#assistant({ parts, thinking: 1, signed: signed ? 1 : 0 }, ending);
    }
    const call = callOf(item, `call-${String(at)}`);
    if (call !== null) return this.#assistant({ parts: [call] }, ending);
    const hosted = hostedParts(item, `call-${String(at)}`);
    if (hosted !== null) return this.#assistant(hosted, ending);
    if (isOutput(item)) return this.#output(item);
    if (COMPACTIONS.has(type)) return [compactionMark(this.#format, item)];
    if (KEPT.has(type)) return [keptData(this.#format, type, item)];
    if (type === '') return [skip('malformed', 'no type')];
    return [note(type === 'item_reference' ? type : 'unknown-block'), keptData(this.#format, type, item)];
  }

  #output(item: JsonObject): readonly Step[] {
    this.endMessage();
    const { output, images, notes, callId } = outputSteps(item);
    return [...notes, { do: 'result', callId, output, images }];
  }

  #assistant(share: Share, { usage, finish }: Ending): readonly Step[] {
    const { parts, thinking = 0, signed = 0, images = 0, notes = [] } = share;
    const step: AssistantStep = {
      do: 'assistant',
      key: `message-${String(this.#message)}`,
      parts,
      thinking,
      signed,
      images,
      usage,
      finish,
      empty: {},
    };
    return [...notes, step];
  }
}

interface Share {
  readonly parts: AssistantPart[];
  readonly thinking?: number;
  readonly signed?: number;
  readonly images?: number;
  readonly notes?: readonly Step[];
}

function assistantParts(item: JsonObject): Share {
  const notes: Step[] = [];
  const parts = blocksOf(item['content']).flatMap((block): AssistantPart[] => {
    const text = blockText(block);
    if (text !== null) return isBlank(text) ? [] : [{ type: 'text', text }];
    notes.push(note('unknown-block'));
    return typeof block === 'object' && block !== null && !Array.isArray(block)
      ? [opaqueItem(block)]
      : [{ type: 'text', text: textOf(block) ?? stringify(block) }];
  });
  return { parts, notes };
}
