/** What a reader of Claude Code records must know beforehand. */
import { nameOf, objectOf, textOf, type JsonObject } from '../json/values.ts';
import type { MakeReader, Scout } from '../formats.ts';
import type { RecordPiece } from '../pieces.ts';
import { Forks } from './forks.ts';
import { plainText } from './messages.ts';
import { shownInMidTurn, type QueueEvent } from './queue.ts';
import { ClaudeReader } from './reader.ts';

export class ClaudeScout implements Scout {
  readonly #forks: Forks | null;
  readonly #queue: QueueEvent[] = [];
  readonly #waiting = new Set<string>();
  readonly #uuids = new Set<string>();
  #main = 0;
  #side = 0;

  constructor(tree: boolean) {
    this.#forks = tree ? new Forks() : null;
  }

  see({ value }: RecordPiece, number: number): void {
    const uuid = nameOf(value['uuid']);
    if (uuid !== null && this.#uuids.has(uuid)) return;
    if (uuid !== null) this.#uuids.add(uuid);
    this.#forks?.see(value, number);
    const type = value['type'];
    if (type === 'user' || type === 'assistant') this.#count(value['isSidechain'] === true);
    if (type === 'queue-operation') this.#operation(value, number);
    else if (this.#waiting.size > 0) this.#delivery(value);
  }

  #count(isSide: boolean): void {
    if (isSide) this.#side++;
    else this.#main++;
  }

  finish(): { readonly reader: MakeReader; readonly again: boolean } {
    const left = this.#forks?.left() ?? new Set<number>();
    const facts = { shown: shownInMidTurn(this.#queue), sideIsMain: this.#main === 0 && this.#side > 0, left };
    return { reader: () => new ClaudeReader(facts), again: facts.sideIsMain || left.size > 0 };
  }

  #operation(value: JsonObject, record: number): void {
    const text = textOf(value['content']);
    const operation = value['operation'];
    if (operation === 'enqueue' && text !== null) {
      this.#queue.push({ kind: 'enqueue', record, text });
      this.#waiting.add(text);
    } else if (operation === 'remove') this.#queue.push({ kind: 'remove', record, text });
    else if (operation === 'dequeue' || operation === 'popAll') this.#queue.push({ kind: operation });
  }

  #delivery(value: JsonObject): void {
    const attachment = objectOf(value['attachment']);
    const text =
      value['type'] === 'user'
        ? plainText(objectOf(value['message'])?.['content'])
        : attachment?.['type'] === 'queued_command'
          ? plainText(attachment['prompt'])
          : null;
    if (text !== null && this.#waiting.has(text)) this.#queue.push({ kind: 'delivered', text });
  }
}
