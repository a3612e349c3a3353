/** Reads the records of a Claude Code session in file order. */
import type { RecordReader } from '../formats.ts';
import { nameOf, textOf } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { skip, type Step } from '../steps.ts';
import { isBareCommand, tellText, type Told } from './origins.ts';
import { saidStep } from './messages.ts';
import { madeUp, recordTable } from './records.ts';

export interface ClaudeFacts {
  /** By the number of a `remove` record, the number of the enqueue it shows. */
  readonly shown: ReadonlyMap<number, number>;
  /** Nothing but side chains: the file is a sub-agent's own transcript. */
  readonly sideIsMain: boolean;
  /** Numbers of records on arms that were left; empty in linear order. */
  readonly left: ReadonlySet<number>;
}
export const NOTHING_KNOWN: ClaudeFacts = { shown: new Map(), sideIsMain: false, left: new Set() };

export class ClaudeReader implements RecordReader {
  readonly #facts: ClaudeFacts;
  readonly #uuids = new Set<string>();
  readonly #shownEnqueues: ReadonlySet<number>;
  readonly #queued = new Map<number, { readonly text: string; readonly line: number }>();
  #number = -1;

  constructor(facts: ClaudeFacts) {
    this.#facts = facts;
    this.#shownEnqueues = new Set(facts.shown.values());
  }

  read(record: RecordPiece): readonly Step[] {
    this.#number++;
    const { at, value } = record;
    const type = nameOf(value['type']);
    const rule = type === null ? undefined : recordTable.get(type);
    if (rule === undefined) return [skip('unknown-kind', type ?? 'no type')];
    if (this.#repeats(nameOf(value['uuid']))) return [skip('duplicate')];
    if (value['isSidechain'] === true && !this.#facts.sideIsMain && type !== 'progress') return [skip('sidechain')];
    if (this.#facts.left.has(this.#number)) return [skip('rewound', 'on an arm that was left')];
    if (type === 'queue-operation') return this.#queueSteps(record);
    if (type === 'summary') return this.#titleSteps(record);
    return madeUp(value, at) ?? rule(record);
  }

  #repeats(uuid: string | null): boolean {
    if (uuid === null) return false;
    if (this.#uuids.has(uuid)) return true;
    this.#uuids.add(uuid);
    return false;
  }

  /** The enqueue is the record that is read; its message stands where the text was taken out. */
  #queueSteps({ at, value }: RecordPiece): readonly Step[] {
    if (this.#shownEnqueues.has(this.#number)) {
      this.#queued.set(this.#number, { text: textOf(value['content']) ?? '', line: at });
      return [{ do: 'facts', read: true }];
    }
    const enqueue = this.#facts.shown.get(this.#number);
    const queued = enqueue === undefined ? undefined : this.#queued.get(enqueue);
    if (enqueue === undefined || queued === undefined) return [skip('queue-bookkeeping')];
    this.#queued.delete(enqueue);
    const told: Told =
      tellText(queued.text) ?? (isBareCommand(queued.text) ? { origin: 'notice' } : { origin: 'user_input', by: 'queued' });
    const content = [{ type: 'text' as const, text: queued.text }];
    const said = saidStep(queued.line, told, content, 0);
    return [said.do === 'user' ? { ...said, line: queued.line, elsewhere: true } : said, skip('queue-bookkeeping')];
  }

  /** Often the title of another session: only one that names a record of this file counts. */
  #titleSteps({ value }: RecordPiece): readonly Step[] {
    const text = nameOf(value['summary']),
      leaf = nameOf(value['leafUuid']);
    return text === null || leaf === null || !this.#uuids.has(leaf) ? [] : [{ do: 'facts', title: { text, rank: 1 } }];
  }
}
