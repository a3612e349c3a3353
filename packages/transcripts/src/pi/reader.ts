/** Reads the records of one pi session in file order. */
import { createHash } from 'node:crypto';
import type { RecordReader } from '../formats.ts';
import { nameOf, objectOf, stringify, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { note, skip, type Step } from '../steps.ts';
import { recordTable } from './records.ts';

export interface PiFacts {
  /** Numbers of records on branches that were left; empty in linear order. */
  readonly left: ReadonlySet<number>;
  /** By entry id, the message that replaces the recorded one. */
  readonly patches: ReadonlyMap<string, JsonObject>;
  readonly tree: boolean;
}

export class PiReader implements RecordReader {
  readonly #facts: PiFacts;
  readonly #seen = new Map<string, string>();
  #number = -1;

  constructor(facts: PiFacts) {
    this.#facts = facts;
  }

  read(record: RecordPiece): readonly Step[] {
    this.#number++;
    const { value } = record;
    if (value['type'] === 'session') return this.#apply(record);
    const notes: Step[] = [];
    const parent = nameOf(value['parentId']),
      id = nameOf(value['id']);
    if (parent !== null && !this.#seen.has(parent)) notes.push(note('parent-missing'));
    if (id !== null) {
      const clash = this.#clash(id, record);
      if (clash === 'same') return [skip('duplicate')];
      if (clash === 'other') notes.push(note('id-repeated'));
    }
    if (this.#facts.left.has(this.#number)) return [...notes, skip('rewound', 'on a branch that was left')];
    return [...notes, ...this.#apply(record)];
  }

  /** Ids are unique in one file only, and not always there: an equal record is a repeat, another one is kept. */
  #clash(id: string, { text, value }: RecordPiece): 'same' | 'other' | null {
    const print = createHash('sha1')
      .update(text ?? stringify(value))
      .digest('base64');
    const before = this.#seen.get(id);
    if (before === undefined) this.#seen.set(id, print);
    return before === undefined ? null : before === print ? 'same' : 'other';
  }

  #apply(record: RecordPiece): readonly Step[] {
    const type = nameOf(record.value['type']);
    const rule = type === null ? undefined : recordTable.get(type);
    if (rule === undefined) return [skip('unknown-kind', type ?? 'no type')];
    const patch = this.#facts.patches.get(nameOf(record.value['id']) ?? '');
    const patched = patch !== undefined && type === 'message' && objectOf(record.value['message']) !== null;
    return rule(patched ? { ...record, value: { ...record.value, message: patch }, text: null } : record, this.#facts.tree);
  }
}
