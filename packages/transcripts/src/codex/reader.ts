/** Reads the records of one thread in file order. */
import type { MessageBody } from '@palimpsest/contracts';
import type { RecordReader } from '../formats.ts';
import { isBlank, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { sliceAt } from '../json/slice.ts';
import { userContent } from '../openai/content.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type AssistantStep, type Step } from '../steps.ts';
import { unwrap, type Unwrapped } from './envelope.ts';
import { askedContent, eventText, isTyped, toldParts, usageOf } from './events.ts';
import { hiddenSteps, keptStep, outputSteps, shareOf, type Share } from './items.ts';
import { markedOrigin } from './origins.ts';
import type { CodexFacts } from './facts.ts';

export class CodexReader implements RecordReader {
  readonly #facts: CodexFacts;
  #number = -1;
  #headed = false;
  #messages = 0;
  /** The message that the next item of the model extends; null: it begins one. */
  #open: string | null = null;
  /** The newest message that no tokens were recorded for yet. */
  #unpaid: string | null = null;
  #total = '';

  constructor(facts: CodexFacts) {
    this.#facts = facts;
  }

  read(record: RecordPiece): readonly Step[] {
    this.#number++;
    const found = unwrap(record.value);
    if (found === null) return [skip('malformed', nameOf(record.value['type']) ?? 'no type')];
    switch (found.type) {
      case 'session_meta':
        return this.#header(found.payload);
      case 'turn_context':
        this.#open = null;
        return [];
      case 'response_item':
        return this.#item(found, record);
      case 'event_msg':
        return this.#event(found.payload, record.at);
      case 'compacted':
        return this.#compacted(found.payload, record.at);
      case 'state':
        return [skip('ui-only')];
      default:
        return KEPT.has(found.type) ? [keptStep(found.type, found.payload)] : [skip('unknown-kind', found.type)];
    }
  }

  /** Only the first header is the thread's own; later ones are its own again or a parent's. */
  #header(meta: JsonObject): readonly Step[] {
    if (this.#headed) return [];
    this.#headed = true;
    const id = nameOf(meta['id']) ?? nameOf(meta['session_id']);
    const system = systemOf(meta);
    return [{ do: 'facts', ...(id === null ? {} : { id }), ...(system === null ? {} : { system }) }];
  }

  #isRewound(): boolean {
    return this.#facts.rewound.some(([from, through]) => this.#number >= from && this.#number <= through);
  }

  #item({ payload, path }: Unwrapped, { at, text }: RecordPiece): readonly Step[] {
    const type = nameOf(payload['type']);
    if (type === null) return [skip('malformed', 'no type')];
    if (type === 'ghost_snapshot') return [skip('ui-only')];
    if (this.#isRewound()) return this.#rewound();
    const context = { at, bytes: () => (text === null ? null : sliceAt(text, path)) ?? stringify(payload) };
    const share = shareOf(payload, context);
    if (share !== null) return [...share.notes, this.#extend(share)];
    this.#open = null;
    if (type === 'message' && payload['role'] === 'user') return this.#user(payload);
    const known = outputSteps(payload) ?? hiddenSteps(payload, context);
    if (known !== null) return known;
    return type === 'message' ? [skip('unknown-role', nameOf(payload['role']) ?? 'no role')] : [keptStep(type, payload)];
  }

  #rewound(): readonly Step[] {
    this.#open = null;
    return [skip('rewound')];
  }

  #extend({ parts, thinking, signed, images }: Omit<Share, 'notes'>): AssistantStep {
    this.#open ??= `message-${String(this.#messages++)}`;
    this.#unpaid = this.#open;
    return { do: 'assistant', key: this.#open, parts, thinking, signed, images, usage: null, finish: null, empty: {} };
  }

  #user(item: JsonObject): readonly Step[] {
    const { content: parts, images, notes } = userContent(item['content']);
    if (parts.length === 0) return [skip('empty-user')];
    const marked = this.#facts.typed.has(this.#number) ? null : markedOrigin(parts);
    const by = parts.every((part) => part.type === 'image') ? 'image' : 'typed';
    return [...notes, { do: 'user', origin: marked ?? 'user_input', content: parts, images, by }];
  }

  #event(event: JsonObject, at: number): readonly Step[] {
    switch (event['type']) {
      case 'token_count':
        return this.#tokens(event);
      case 'thread_rolled_back':
        this.#open = null;
        return [];
      case 'thread_name_updated':
        return [named(event)];
      case 'turn_aborted':
        this.#open = null;
        return [keptStep('turn-aborted', event)];
      default:
        return this.#said(event, at);
    }
  }

  #said(event: JsonObject, at: number): readonly Step[] {
    const said = eventText(event);
    if (said === null) return [skip('ui-only', nameOf(event['type']) ?? 'no type')];
    if (!this.#facts.alone.has(this.#number)) return [skip('superseded')];
    if (this.#isRewound()) return this.#rewound();
    if (said.by === 'user') return this.#asked(event);
    const { parts, answer } = toldParts(event, at);
    if (parts.length === 0) return [skip('ui-only')];
    const step = this.#extend({ parts, thinking: said.by === 'thought' ? 1 : 0, signed: 0, images: 0 });
    const [call] = parts;
    if (call?.type !== 'tool-call' || answer === null) return [step];
    this.#open = null;
    return [step, { do: 'result', callId: call.toolCallId, output: answer, images: 0 }];
  }

  #asked(event: JsonObject): readonly Step[] {
    this.#open = null;
    const content = askedContent(event);
    if (content.length === 0) return [skip('empty-user')];
    const images = content.filter((part) => part.type === 'image').length;
    const origin = isTyped(event) ? 'user_input' : (markedOrigin(content) ?? 'notice');
    return [{ do: 'user', origin, content, images, by: images === content.length ? 'image' : 'typed' }];
  }

  /** Written twice as a rule: a call counts when the running total has changed. */
  #tokens(event: JsonObject): readonly Step[] {
    this.#open = null;
    const found = usageOf(event);
    if (found === null || found.total === this.#total) return [];
    this.#total = found.total;
    const key = this.#unpaid;
    this.#unpaid = null;
    return this.#isRewound() ? [] : [{ do: 'usage', key, usage: found.usage }];
  }

  /** `replacement_history` repeats what stands in the file already and is left out. */
  #compacted(payload: JsonObject, at: number): readonly Step[] {
    this.#open = null;
    if (this.#isRewound()) return [skip('rewound')];
    const text = textOf(payload['message']) ?? '';
    const mark: Step = {
      do: 'hidden',
      body: { kind: 'compaction', by: 'codex', trigger: 'threshold', segments: [], tokensBefore: 0, tokensAfter: 0, hidden: true },
    };
    const handoff: MessageBody = {
      kind: 'message',
      origin: 'handoff',
      message: { role: 'user', content: [{ type: 'text', text }] },
      hidden: true,
      source: { format: 'codex', line: at },
    };
    return isBlank(text) ? [mark] : [mark, { do: 'hidden', body: handoff }];
  }
}

const KEPT = new Set([
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'token_usage_record',
  'security_risk_score',
  'retained_context',
  'realtime_item',
]);

function named(event: JsonObject): Step {
  const text = nameOf(event['thread_name']) ?? nameOf(event['name']);
  return { do: 'facts', ...(text === null ? {} : { title: { text, rank: 1 } }) };
}

/** `base_instructions` since early 2026, `instructions` before. */
function systemOf(meta: JsonObject): string | null {
  return textOf(objectOf(meta['base_instructions'])?.['text']) ?? nameOf(meta['base_instructions']) ?? nameOf(meta['instructions']);
}
