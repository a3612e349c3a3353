/** Reads the rows of one session, or of a lineage of sessions. */
import type { AssistantPart, Json } from '@palimpsest/contracts';
import type { RecordReader, Scout } from '../formats.ts';
import { compactionMark, keptUser } from '../kept.ts';
import { has, isBlank, nameOf, objectOf, stringify, textOf, type JsonObject } from '../json/values.ts';
import { toolOutput, userContent } from '../openai/content.ts';
import { replySteps } from '../openai/reply.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import { contentOf, isHarness, isOverheard, isListText, isRewound, isSummary, listIn, markOf, plainText } from './rows.ts';

export class HermesReader implements RecordReader {
  /** Numbers of rows that copy the tail of the session before. */
  readonly #copies: ReadonlySet<number>;
  readonly #prompts = new Set<string>();
  #number = -1;
  #begun = false;

  constructor(copies: ReadonlySet<number>, prompt: string | null) {
    this.#copies = copies;
    if (prompt !== null) this.#prompts.add(prompt);
  }

  read({ at, value: row }: RecordPiece): readonly Step[] {
    this.#number++;
    if (isRewound(row)) return [skip('rewound')];
    if (this.#copies.has(this.#number)) return [skip('duplicate')];
    const steps = isSummary(row) ? summarySteps(row, at) : this.#steps(row, at);
    this.#begun ||= steps.some((step) => step.do === 'user' || step.do === 'assistant');
    return steps;
  }

  #steps(row: JsonObject, at: number): readonly Step[] {
    switch (row['role']) {
      case 'system':
        return this.#system(row);
      case 'user':
        return userSteps(row);
      case 'assistant':
        return assistantSteps(row, at);
      case 'tool': {
        const { output, images, notes } = toolOutput(contentOf(row));
        return [...notes, { do: 'result', callId: textOf(row['tool_call_id']) ?? '', output, images }];
      }
      default:
        return [skip('unknown-role', nameOf(row['role']) ?? 'no role')];
    }
  }

  /** The prompt stands in a column of the session as well; it is one. */
  #system(row: JsonObject): readonly Step[] {
    const text = plainText(contentOf(row));
    if (this.#begun && !this.#prompts.has(text)) {
      if (isBlank(text)) return [skip('empty-user')];
      return [{ do: 'user', origin: 'notice', content: [{ type: 'text', text }], images: 0 }];
    }
    if (this.#prompts.has(text)) return [{ do: 'facts', read: true }];
    this.#prompts.add(text);
    return [{ do: 'facts', read: true, system: text }];
  }
}

function summarySteps(row: JsonObject, at: number): readonly Step[] {
  const { content: parts } = userContent(contentOf(row));
  return [compactionMark('hermes', {}), keptUser('hermes', at, 'handoff', parts)];
}

function userSteps(row: JsonObject): readonly Step[] {
  const { content: parts, images, notes } = userContent(contentOf(row));
  if (parts.length === 0) return [skip('empty-user')];
  const [first] = parts;
  const notice = isOverheard(row) || (first?.type === 'text' && isHarness(first.text));
  const by = parts.every((part) => part.type === 'image') ? 'image' : 'typed';
  return [...notes, { do: 'user', origin: notice ? 'notice' : 'user_input', content: parts, images, by }];
}

/** The columns are those of a chat message, their lists as text; items of the Responses API are kept as they are. */
function assistantSteps(row: JsonObject, at: number): readonly Step[] {
  const details = listIn(row['reasoning_details']);
  const message: JsonObject = {
    content: contentOf(row),
    tool_calls: listIn(row['tool_calls']),
    reasoning_content: row['reasoning_content'] ?? null,
    reasoning: row['reasoning'] ?? null,
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(has(row, 'finish_reason') ? { finish_reason: row['finish_reason'] ?? null } : {}),
  };
  const items = [...itemsOf(row['codex_reasoning_items'], 'reasoning'), ...itemsOf(row['codex_message_items'], 'message')];
  const sealed = items.filter((item) => item.type === 'opaque' && item.format === 'reasoning').length;
  const lost = isListText(row['tool_calls']) ? [] : [skip('incomplete-call', 'tool_calls is no list')];
  const steps = replySteps(message, (index) => `call-${String(at)}-${String(index)}`).map((step) => {
    if (step.do !== 'assistant') return step;
    const thinking = step.thinking > 0 || sealed > 0 ? 1 : 0;
    return { ...step, parts: withItems(step.parts, items), thinking, signed: step.signed > 0 || sealed > 0 ? 1 : 0 };
  });
  return [...lost, ...steps];
}

const itemsOf = (value: Json | undefined, format: string): AssistantPart[] =>
  listIn(value).map((item) => ({
    type: 'opaque',
    provider: 'openai',
    format: nameOf(objectOf(item)?.['type']) ?? format,
    bytes: stringify(item),
  }));

/** Sealed reasoning stands before what it led to. */
function withItems(parts: readonly AssistantPart[], items: readonly AssistantPart[]): AssistantPart[] {
  const at = parts.findIndex((part) => part.type !== 'reasoning');
  return at === -1 ? [...parts, ...items] : [...parts.slice(0, at), ...items, ...parts.slice(at)];
}

/** In a lineage the child begins with a summary and copies of its parent's newest rows. */
export class HermesScout implements Scout {
  readonly #marks: string[] = [];
  readonly #summaries: number[] = [];
  #isLineage = false;
  #prompt: string | null = null;

  see({ value }: RecordPiece, number: number): void {
    this.#marks[number] = markOf(value);
    if (isSummary(value)) this.#summaries.push(number);
  }

  beside(session: JsonObject): void {
    this.#isLineage = has(session, 'segments') || has(session, 'lineage_session_ids');
    this.#prompt = nameOf(session['system_prompt']);
  }

  finish(): ReturnType<Scout['finish']> {
    const copies = new Set<number>();
    for (const at of this.#isLineage ? this.#summaries : [])
      for (let number = 1; number <= this.#copied(at); number++) copies.add(at + number);
    const prompt = this.#prompt;
    return { reader: () => new HermesReader(copies, prompt), again: copies.size > 0 || prompt !== null };
  }

  /** How many rows behind the summary repeat the last ones before it. */
  #copied(at: number): number {
    const marks = this.#marks;
    for (let count = Math.min(at, marks.length - at - 1); count > 0; count--) {
      let same = 0;
      while (same < count && marks[at + 1 + same] === marks[at - count + same]) same++;
      if (same === count) return count;
    }
    return 0;
  }
}
