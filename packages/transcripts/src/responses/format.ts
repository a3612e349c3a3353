/** Request bodies of the Responses API, with the response beside them where a log has it, and responses by themselves. */
import type { Finish, Json, ToolSchema, Usage } from '@palimpsest/contracts';
import type { DocumentFormat, Format, RecordReader, Scout } from '../formats.ts';
import { countOf, has, listOf, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { Beside } from '../openai/format.ts';
import type { Layout } from '../openai/layout.ts';
import type { RecordPiece } from '../pieces.ts';
import type { Step } from '../steps.ts';
import { isOutput } from './calls.ts';
import { ResponseItems, type Ending } from './items.ts';

/** What the response says about the reply, for the item that ends it. */
interface Reply extends Ending {
  readonly first: number;
  readonly last: number;
}

class ResponsesReader implements RecordReader {
  readonly #items = new ResponseItems('responses');
  readonly #reply: Reply | null;

  constructor(reply: Reply | null) {
    this.#reply = reply;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    const reply = this.#reply;
    if (at === reply?.first) this.#items.endMessage();
    return this.#items.read(value, at, at === reply?.last ? reply : undefined);
  }
}

class ResponsesScout implements Scout {
  #reply: Reply | null = null;
  #answered = -1;

  see({ at, value }: RecordPiece): void {
    if (isAnswer(value)) this.#answered = at;
  }

  beside(body: JsonObject, elements: number): void {
    const response = responseOf(body);
    const behind = moreOf(body);
    const output = behind.length > 0 || !isAlone(body) ? behind : null;
    if (response === null || (output !== null && output.length === 0)) return;
    const items = (output ?? []).map(objectOf);
    const last = items.findLastIndex((item) => item !== null && isAnswer(item));
    const first = elements + items.length - outputOf(response).length;
    this.#reply = { first, last: output === null ? this.#answered : elements + last, usage: usageOf(response), finish: finishOf(response) };
  }

  finish(): ReturnType<Scout['finish']> {
    const reply = this.#reply;
    return { reader: () => new ResponsesReader(reply), again: reply !== null };
  }
}

const isAnswer = (item: JsonObject): boolean =>
  item['role'] === 'assistant' || item['type'] === 'reasoning' || (/_call$/u.test(nameOf(item['type']) ?? '') && !isOutput(item));

const format: Format = {
  name: 'responses',
  position: 'index',
  isRecord: (value) => nameOf(value['type']) !== null || nameOf(value['role']) !== null,
  startsSession: () => false,
  kindOf: (value) => nameOf(value['type']) ?? `message/${nameOf(value['role']) ?? '?'}`,
  scout: () => new ResponsesScout(),
  reader: () => new ResponsesReader(null),
};

const KEPT = [
  'instructions',
  'tools',
  'input',
  'output',
  'response',
  'usage',
  'status',
  'incomplete_details',
  'id',
  'previous_response_id',
  'conversation',
];
export const responses: DocumentFormat = { format, growing: true, layoutOf, kept: new Set(KEPT), besideOf };

function layoutOf(value: Json): Layout | null {
  const object = objectOf(value);
  if (object !== null) {
    const key = ['input', 'output'].find((one) => listOf(object[one]) !== null || typeof object[one] === 'string');
    return key === undefined ? null : { many: false, key };
  }
  const first = (listOf(value) ?? []).map(objectOf).find((one) => one !== null && (has(one, 'input') || has(one, 'output')));
  if (first !== undefined && first !== null) return { many: true, key: has(first, 'input') ? 'input' : 'output' };
  return { many: false, key: null };
}

function besideOf(body: JsonObject): Beside {
  const chained = ['previous_response_id', 'conversation'].some((key) => body[key] !== undefined && body[key] !== null);
  return {
    id: nameOf(objectOf(body['response'])?.['id']) ?? nameOf(body['id']),
    title: null,
    tools: toolsOf(body['tools']),
    system: textOf(body['instructions']),
    reply: null,
    more: moreOf(body),
    notes: chained ? ['history-incomplete'] : [],
  };
}

/** The list is the response's own output: nothing stands behind it. */
const isAlone = (body: JsonObject): boolean => !has(body, 'input') && !has(body, 'output') && objectOf(body['response']) === null;

/** An input that is one text, and the output of the response. */
function moreOf(body: JsonObject): Json[] {
  const { input } = body;
  const asked: Json[] = typeof input === 'string' ? [{ role: 'user', content: input }] : [];
  return [...asked, ...outputOf(responseOf(body))];
}

const outputOf = (response: JsonObject | null): Json[] => listOf(response?.['output']) ?? [];
const responseOf = (body: JsonObject): JsonObject | null =>
  objectOf(body['response']) ?? (has(body, 'output') || has(body, 'usage') || has(body, 'status') ? body : null);

function finishOf(response: JsonObject): Finish | null {
  const reason = nameOf(objectOf(response['incomplete_details'])?.['reason']);
  if (reason !== null) return reason === 'content_filter' ? 'refused' : 'length';
  return response['status'] === 'failed' || response['status'] === 'cancelled' ? 'other' : null;
}

function usageOf(response: JsonObject): Usage | null {
  const usage = objectOf(response['usage']);
  if (usage === null) return null;
  const details = objectOf(usage['input_tokens_details']) ?? {};
  const cacheRead = countOf(details['cached_tokens']);
  const cacheWrite = countOf(details['cache_write_tokens']);
  return {
    input: Math.max(0, countOf(usage['input_tokens']) - cacheRead - cacheWrite),
    output: countOf(usage['output_tokens']),
    cacheRead,
    cacheWrite,
    reasoning: countOf(objectOf(usage['output_tokens_details'])?.['reasoning_tokens']),
  };
}

function toolsOf(tools: Json | undefined): ToolSchema[] {
  return (listOf(tools) ?? []).flatMap((one) => {
    const tool = objectOf(one);
    const name = nameOf(tool?.['name']);
    if (tool === null || name === null || (tool['type'] !== 'function' && tool['type'] !== 'custom')) return [];
    const inputSchema = objectOf(tool['parameters']) ?? { type: 'object', properties: {} };
    return [{ name, description: textOf(tool['description']) ?? '', inputSchema }];
  });
}
