/** Request bodies of the Messages API, with the response beside them where a log has it, and bare lists of messages. */
import type { Json, ToolSchema } from '@palimpsest/contracts';
import type { DocumentFormat, Format, Scout } from '../formats.ts';
import { has, listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { Beside } from '../openai/format.ts';
import { layoutOf } from '../openai/layout.ts';
import type { RecordPiece } from '../pieces.ts';
import { blocksOf, blockText, typeOf } from './media.ts';
import { AnthropicReader } from './reader.ts';

/** Finds whether the list ends with a prefill: only a body that asks for a reply can have one. */
class AnthropicScout implements Scout {
  #last: { readonly at: number; readonly isReply: boolean } | null = null;
  #prefill = -1;

  see({ at, value }: RecordPiece): void {
    const isReply = value['role'] === 'assistant' && !blocksOf(value['content']).some((block) => !SAYING.has(typeOf(block)));
    this.#last = { at, isReply };
  }

  beside(body: JsonObject): void {
    if (this.#last?.isReply === true && has(body, 'max_tokens')) this.#prefill = this.#last.at;
  }

  finish(): ReturnType<Scout['finish']> {
    const prefill = this.#prefill;
    return { reader: () => new AnthropicReader(prefill), again: false };
  }
}
/** A message that asks for a tool, or is a compaction alone, is no begin of a reply. */
const SAYING = new Set(['', 'text', 'thinking', 'redacted_thinking']);

const format: Format = {
  name: 'anthropic',
  position: 'index',
  isRecord: (value) => nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['role']) ?? '?',
  scout: () => new AnthropicScout(),
  reader: () => new AnthropicReader(-1),
};

export const anthropic: DocumentFormat = {
  format,
  growing: true,
  layoutOf: (value) => layoutOf(value) ?? (isReply(objectOf(value)) ? { many: false, key: 'messages' } : null),
  kept: new Set(['system', 'tools', 'id', 'title', 'response', 'max_tokens', 'type', 'role', 'content', 'usage', 'stop_reason']),
  besideOf,
};

/** A response by itself. */
const isReply = (object: JsonObject | null): boolean =>
  object !== null && object['type'] === 'message' && object['role'] === 'assistant' && listOf(object['content']) !== null;

function besideOf(body: JsonObject): Beside {
  const response = objectOf(body['response']);
  const reply = isReply(body)
    ? body
    : response !== null && listOf(response['content']) !== null
      ? { role: 'assistant', ...response }
      : null;
  return {
    id: isReply(body) ? null : nameOf(body['id']),
    title: nameOf(body['title']),
    tools: toolsOf(body['tools']),
    system: systemOf(body['system']),
    reply,
  };
}

function systemOf(system: Json | undefined): string | null {
  const texts = blocksOf(system).flatMap((block) => blockText(block) ?? []);
  return texts.length === 0 ? null : texts.join('\n\n');
}

/** The provider's own tools have a dated type and no schema: nothing that could be declared elsewhere. */
export function toolsOf(tools: Json | undefined): ToolSchema[] {
  return (listOf(tools) ?? []).flatMap((one) => {
    const tool = objectOf(one);
    const name = nameOf(tool?.['name']);
    const schema = objectOf(tool?.['input_schema']);
    return name === null || schema === null ? [] : [{ name, description: textOf(tool?.['description']) ?? '', inputSchema: schema }];
  });
}
