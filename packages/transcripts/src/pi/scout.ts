/** What a reader of pi records must know beforehand: patches that come later, and with `tree` which records the newest leaf leaves out. */
import { nameOf, objectOf, type JsonObject } from '../json/values.ts';
import type { MakeReader, Scout } from '../formats.ts';
import type { RecordPiece } from '../pieces.ts';
import { PiReader } from './reader.ts';

interface Node {
  readonly number: number;
  readonly parent: number;
}

export class PiScout implements Scout {
  readonly #tree: boolean;
  readonly #patches = new Map<string, JsonObject>();
  readonly #byId = new Map<string, number>();
  readonly #nodes: Node[] = [];

  constructor(tree: boolean) {
    this.#tree = tree;
  }

  see({ value }: RecordPiece, number: number): void {
    const target = nameOf(value['targetId']) ?? nameOf(value['entryId']);
    const message = objectOf(value['message']) ?? objectOf(objectOf(value['patch'])?.['message']);
    if (value['type'] === 'entry_patch' && target !== null && message !== null) this.#patches.set(target, message);
    if (this.#tree) this.#place(value, number);
  }

  finish(): { readonly reader: MakeReader; readonly again: boolean } {
    const facts = { left: this.#left(), patches: this.#patches, tree: this.#tree };
    return { reader: () => new PiReader(facts), again: facts.left.size > 0 || facts.patches.size > 0 };
  }

  /** A parent that names nothing is the entry before; so is the parent of records without ids. The header and repeated ids are on every path. */
  #place(value: JsonObject, number: number): void {
    if (value['type'] === 'session') return;
    const before = this.#nodes.length - 1;
    const parent = nameOf(value['parentId']),
      id = nameOf(value['id']);
    if (id !== null && this.#byId.has(id)) return;
    this.#nodes.push({
      number,
      parent: value['parentId'] === null ? -1 : ((parent === null ? undefined : this.#byId.get(parent)) ?? before),
    });
    if (id !== null) this.#byId.set(id, this.#nodes.length - 1);
  }

  #left(): ReadonlySet<number> {
    const path = new Set<number>();
    for (let at = this.#nodes.length - 1; at >= 0; at = this.#nodes[at]?.parent ?? -1) path.add(at);
    return new Set(this.#nodes.filter((_, index) => !path.has(index)).map((node) => node.number));
  }
}
