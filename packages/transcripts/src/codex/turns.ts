/**
 * What a reader must know beforehand: which texts were typed and which events repeat an item, and which records a later
 * rollback takes away. Events and items meet within a stretch: from one input of the user's to the next.
 */
import { createHash } from 'node:crypto';
import type { MakeReader, Scout } from '../formats.ts';
import { nameOf, type JsonObject } from '../json/values.ts';
import { userContent } from '../openai/content.ts';
import type { RecordPiece } from '../pieces.ts';
import { unwrap } from './envelope.ts';
import { listTexts } from './items.ts';
import { markedOrigin, textsOf } from './origins.ts';
import type { CodexFacts } from './facts.ts';
import { CodexReader } from './reader.ts';
import { eventText, isTyped } from './events.ts';

interface Item {
  readonly number: number;
  readonly prints: readonly string[];
}
interface Event {
  readonly number: number;
  readonly print: string;
  readonly isTyped: boolean;
  readonly isTool: boolean;
}
interface Stretch {
  items: Item[];
  readonly asked: Event[];
  readonly told: Event[];
  /** What the model's items say, as prints. */
  readonly said: Set<string>;
  hasCalls: boolean;
  isActive: boolean;
  /** The first record of the turn that begins here. */
  boundary: number | null;
  turned: boolean;
}
const stretch = (): Stretch => ({
  items: [],
  asked: [],
  told: [],
  said: new Set(),
  hasCalls: false,
  isActive: false,
  boundary: null,
  turned: false,
});

/** Texts are compared by print, so that none is held. */
const print = (text: string): string => createHash('sha1').update(text.trim()).digest('base64');

export class Turns implements Scout {
  readonly #typed = new Set<number>();
  readonly #alone = new Set<number>();
  readonly #rewound: [number, number][] = [];
  /** Begins of the user's turns that still stand. */
  #turns: number[] = [];
  #paginated = false;
  #now = stretch();
  #before = stretch();

  see({ value }: RecordPiece, number: number): void {
    const found = unwrap(value);
    if (found === null) return;
    if (found.type === 'session_meta') this.#paginated ||= found.payload['history_mode'] === 'paginated';
    else if (found.type === 'turn_context') this.#boundary(number);
    else if (found.type === 'response_item') this.#item(found.payload, number);
    else if (found.type === 'event_msg') this.#event(found.payload, number);
  }

  finish(): { readonly reader: MakeReader; readonly again: boolean } {
    this.#next();
    this.#next();
    const facts: CodexFacts = { typed: this.#typed, alone: this.#alone, rewound: this.#rewound };
    return { reader: () => new CodexReader(facts), again: this.#alone.size > 0 || this.#rewound.length > 0 };
  }

  /** An event that found no item in its stretch may find it in the next one; after that it stands alone. */
  #next(): void {
    const { asked, told } = this.#before;
    for (const event of asked) if (!this.#claim(event, this.#now)) this.#alone.add(event.number);
    for (const event of told) if (this.#standsAlone(event)) this.#alone.add(event.number);
    this.#before = this.#now;
    this.#now = stretch();
  }

  /** What tools did is told beside the calls as a rule, under other ids; only a paginated history keeps nothing else. */
  #standsAlone({ print: text, isTool }: Event): boolean {
    if (this.#before.said.has(text) || this.#now.said.has(text)) return false;
    return !isTool || (this.#paginated && !this.#before.hasCalls && !this.#now.hasCalls);
  }

  #boundary(number: number): void {
    if (this.#now.isActive) this.#next();
    this.#now.boundary ??= number;
  }

  #item(item: JsonObject, number: number): void {
    if (item['type'] !== 'message' || item['role'] !== 'user') {
      this.#active(item);
      return;
    }
    if (this.#now.isActive) this.#next();
    const { content: parts } = userContent(item['content']);
    const texts = textsOf(parts);
    const found: Item = { number, prints: [texts.join('\n'), texts.join(''), ...texts].map(print) };
    const at = this.#now.asked.findIndex((event) => found.prints.includes(event.print));
    if (at !== -1) {
      const [event] = this.#now.asked.splice(at, 1);
      if (event?.isTyped === true) this.#typed.add(number);
      return;
    }
    this.#now.items.push(found);
    if (markedOrigin(parts) === null) this.#turn(number);
  }

  #active(item: JsonObject): void {
    if (item['role'] === 'developer' || item['role'] === 'system') return;
    this.#now.isActive = true;
    if (nameOf(item['call_id']) !== null) this.#now.hasCalls = true;
    const texts = [...listTexts(item['content']), ...listTexts(item['summary'])];
    for (const text of [texts.join('\n'), texts.join(''), ...texts]) this.#now.said.add(print(text));
    for (const id of [item['call_id'], item['id']]) if (nameOf(id) !== null) this.#now.said.add(print(`id ${nameOf(id) ?? ''}`));
  }

  #event(event: JsonObject, number: number): void {
    switch (event['type']) {
      case 'task_started':
      case 'turn_started':
        if (this.#now.turned) this.#next();
        this.#boundary(number);
        return;
      case 'task_complete':
      case 'turn_complete':
      case 'turn_aborted':
        this.#now.isActive = true;
        return;
      case 'thread_rolled_back':
        this.#rollBack(typeof event['num_turns'] === 'number' ? event['num_turns'] : 1, number);
        return;
      default:
        this.#told(event, number);
    }
  }

  #told(event: JsonObject, number: number): void {
    const said = eventText(event);
    if (said === null) return;
    const found: Event = { number, print: print(said.text), isTyped: isTyped(event), isTool: said.by === 'tool' };
    if (said.by !== 'user') {
      this.#now.isActive = true;
      this.#now.told.push(found);
      return;
    }
    if (this.#now.isActive) this.#next();
    const item = this.#now.items.find((one) => one.prints.includes(found.print));
    if (!this.#claim(found, this.#now)) this.#now.asked.push(found);
    if (!isTyped(event)) return;
    if (item === undefined) this.#turn(number);
    else if (!this.#turns.includes(item.number) && !this.#now.turned) this.#turn(item.number);
  }

  #claim(event: Event, { items }: Stretch): boolean {
    const at = items.findIndex((item) => item.prints.includes(event.print));
    if (at === -1) return false;
    const [item] = items.splice(at, 1);
    if (item !== undefined && event.isTyped) this.#typed.add(item.number);
    return true;
  }

  #turn(number: number): void {
    this.#turns.push(this.#now.boundary ?? number);
    this.#now.boundary = null;
    this.#now.turned = true;
  }

  #rollBack(turns: number, number: number): void {
    const from = turns > 0 ? this.#turns[Math.max(0, this.#turns.length - turns)] : undefined;
    this.#next();
    if (from === undefined) return;
    this.#rewound.push([from, number]);
    this.#turns = this.#turns.filter((start) => start < from);
  }
}
