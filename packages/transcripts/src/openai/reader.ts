/** Reads the messages of one session: the generic form, and what mini-swe-agent adds to it. */
import type { MessageBody } from '@palimpsest/contracts';
import type { RecordReader } from '../formats.ts';
import { has, isBlank, nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import type { FormatName, UserOrigin } from '../transcript.ts';
import { toolOutput, userContent } from './content.ts';
import { replySteps } from './reply.ts';

type RoleRule = (this: ChatReader, message: JsonObject, at: number) => readonly Step[];

export class ChatReader implements RecordReader {
  readonly #format: FormatName;
  #begun = false;
  #asked = false;
  /** Legacy calls have no id: the newest open one of each name. */
  readonly #legacy = new Map<string, string>();

  constructor(format: FormatName) {
    this.#format = format;
  }

  read({ at, value }: RecordPiece): readonly Step[] {
    const role = nameOf(value['role']);
    if (role === null) return [skip('unknown-role', 'no role')];
    const rule = this.#format === 'mini-swe-agent' && role === 'exit' ? exited : roleTable.get(role);
    const steps = rule?.call(this, value, at) ?? [skip('unknown-role', role)];
    if (role !== 'system' && role !== 'developer') this.#begun ||= steps.some((step) => step.do === 'user' || step.do === 'assistant');
    return steps;
  }

  /** The prompt entry; in mid-conversation a notice. */
  system(message: JsonObject): readonly Step[] {
    const { content: parts, images, notes } = userContent(message['content']);
    if (this.#begun)
      return parts.length === 0 ? [skip('empty-user')] : [...notes, { do: 'user', origin: 'notice', content: parts, images }];
    return [...notes, { do: 'facts', read: true, system: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') }];
  }

  user(message: JsonObject, at: number): readonly Step[] {
    const { content: parts, images, notes } = userContent(message['content']);
    const extra = objectOf(message['extra']);
    if (parts.length === 0) return extra !== null && has(extra, 'exit_status') ? this.#ended(message, at, '') : [skip('empty-user')];
    const first = !this.#asked;
    this.#asked = true;
    const origin: UserOrigin =
      this.#format !== 'mini-swe-agent' || first ? 'user_input' : has(extra ?? {}, 'returncode') ? 'observation' : 'notice';
    const by = this.#format === 'mini-swe-agent' ? 'task' : parts.every((part) => part.type === 'image') ? 'image' : 'typed';
    return [...notes, { do: 'user', origin, content: parts, images, by }];
  }

  assistant(message: JsonObject, at: number): readonly Step[] {
    const id = (index: number): string => `call-${String(at)}-${String(index)}`;
    const steps = replySteps(message, id);
    const name = nameOf(objectOf(message['function_call'])?.['name']);
    const calls = steps.flatMap((step) => (step.do === 'assistant' ? step.parts : [])).filter((part) => part.type === 'tool-call');
    const last = calls.at(-1);
    if (name !== null && last !== undefined) this.#legacy.set(name, last.toolCallId);
    return steps;
  }

  tool(message: JsonObject): readonly Step[] {
    return this.#result(message, textOf(message['tool_call_id']) ?? '');
  }

  function(message: JsonObject): readonly Step[] {
    const name = nameOf(message['name']) ?? '';
    return this.#result(message, this.#legacy.get(name) ?? `function ${name}`);
  }

  exit(message: JsonObject, at: number): readonly Step[] {
    return this.#ended(message, at, textOf(message['content']) ?? '');
  }

  #result(message: JsonObject, callId: string): readonly Step[] {
    const { output, images, notes } = toolOutput(message['content']);
    return [...notes, { do: 'result', callId, output, images }];
  }

  /** How a run ended: kept, never shown. */
  #ended(message: JsonObject, at: number, text: string): readonly Step[] {
    const status = nameOf(objectOf(message['extra'])?.['exit_status']) ?? '';
    const said = isBlank(text) ? status : text;
    const content = said === '' ? [] : [{ type: 'text' as const, text: said }];
    const body: MessageBody = {
      kind: 'message',
      origin: 'notice',
      message: { role: 'user', content },
      hidden: true,
      source: { format: this.#format, line: at },
    };
    return [{ do: 'hidden', body }];
  }
}

const exited: RoleRule = function (message, at) {
  return this.exit(message, at);
};
const system: RoleRule = function (message) {
  return this.system(message);
};
const roleTable: ReadonlyMap<string, RoleRule> = new Map<string, RoleRule>([
  ['system', system],
  ['developer', system],
  [
    'user',
    function (message, at) {
      return this.user(message, at);
    },
  ],
  [
    'assistant',
    function (message, at) {
      return this.assistant(message, at);
    },
  ],
  [
    'tool',
    function (message) {
      return this.tool(message);
    },
  ],
  [
    'function',
    function (message) {
      return this.function(message);
    },
  ],
]);
