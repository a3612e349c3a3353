import type { Message, ToolCallPart, ToolResultPart } from '@palimpsest/contracts';
import { wireCallId } from './wire-names.ts';

/** Calls of one message and one raw id: the ids they got, and how many have their result. */
interface Asked {
  readonly at: number;
  readonly ids: string[];
  answered: number;
}

/** As a message was named last: it stays one object as long as its ids stay, so that nobody has to serialise it again. */
const namedLast = new WeakMap<Message, Message>();

/**
 * Names the calls of one request, its messages in order. Providers take an id once a request, and real sessions repeat them: the first call
 * keeps its id, a later one gets a number behind it. What an id is depends on what stands before it alone, so that a beginning stays as it is.
 */
export class CallIds {
  #messages = 0;
  readonly #taken = new Set<string>();
  /** The number that an id of this name was given last. */
  readonly #counts = new Map<string, number>();
  /** Calls of the host, and those that a provider answers itself, by raw id; the newest message last. */
  readonly #asked = { host: new Map<string, Asked[]>(), provider: new Map<string, Asked[]>() };

  /** The message with ids that every wire takes. The same object where none differs. */
  named(message: Message): Message {
    if (message.role === 'user') return message;
    this.#messages += 1;
    const ids = message.content.map((part) => this.#idOf(part, message.role));
    if (hasIds(message, ids)) return message;
    const last = namedLast.get(message);
    if (last !== undefined && hasIds(last, ids)) return last;
    const named = {
      ...message,
      content: message.content.map((part, at) => ('toolCallId' in part ? { ...part, toolCallId: ids[at] } : part)),
    } as Message;
    namedLast.set(message, named);
    return named;
  }

  #idOf(part: Message['content'][number], role: Message['role']): string | null {
    if (part.type === 'tool-call') return this.#call(part);
    return part.type === 'tool-result' ? this.#result(part, role) : null;
  }

  #call({ toolCallId, providerExecuted }: ToolCallPart): string {
    const id = this.#free(wireCallId(toolCallId));
    const asked = this.#asked[providerExecuted === true ? 'provider' : 'host'];
    const of = asked.get(toolCallId) ?? [];
    const newest = of.at(-1);
    if (newest?.at === this.#messages) newest.ids.push(id);
    else of.push({ at: this.#messages, ids: [id], answered: 0 });
    asked.set(toolCallId, of);
    return id;
  }

  /** Of the newest message that has an open call of this id, the first one. A result of no call keeps its own id. */
  #result({ toolCallId }: ToolResultPart, role: Message['role']): string {
    const of = this.#asked[role === 'assistant' ? 'provider' : 'host'].get(toolCallId);
    const newest = of?.at(-1);
    const id = newest?.ids[newest.answered];
    if (of === undefined || newest === undefined || id === undefined) return wireCallId(toolCallId);
    newest.answered += 1;
    if (newest.answered === newest.ids.length) of.pop();
    return id;
  }

  #free(id: string): string {
    let free = id;
    for (let count = this.#counts.get(id) ?? 1; this.#taken.has(free); free = wireCallId(`${id}_${String(count)}`))
      this.#counts.set(id, (count += 1));
    this.#taken.add(free);
    return free;
  }
}

function hasIds({ content }: Message, ids: readonly (string | null)[]): boolean {
  return content.every((part, at) => ids[at] === null || ('toolCallId' in part && part.toolCallId === ids[at]));
}
