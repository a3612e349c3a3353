/** With `tree`, which entries the newest leaf leaves out. */
import type { MakeReader, Scout } from '../formats.ts';
import { nameOf, type JsonObject } from '../json/values.ts';
import type { RecordPiece } from '../pieces.ts';
import { isOwnEntry, isOwnHeader } from './lines.ts';
import { OwnReader } from './reader.ts';

export class OwnScout implements Scout {
  readonly #tree: boolean;
  readonly #nodes = new Map<string, { readonly number: number; readonly parent: string | null }>();
  #leaf: string | null = null;
  #newest: string | null = null;

  constructor(tree: boolean) {
    this.#tree = tree;
  }

  see({ value }: RecordPiece, number: number): void {
    if (!this.#tree) return;
    if (isOwnHeader(value)) this.#leaf = nameOf(value['leaf']);
    else if (isOwnEntry(value)) this.#place(value, number);
  }

  finish(): { readonly reader: MakeReader; readonly again: boolean } {
    const left = this.#left();
    return { reader: () => new OwnReader({ left }), again: left.size > 0 };
  }

  #place(value: JsonObject, number: number): void {
    const id = nameOf(value['id']);
    if (id === null || this.#nodes.has(id)) return;
    this.#nodes.set(id, { number, parent: nameOf(value['parent']) });
    this.#newest = id;
  }

  /** The header's leaf; where its entry is lost, the newest one. */
  #left(): ReadonlySet<number> {
    const path = new Set<number>();
    let at = this.#leaf !== null && this.#nodes.has(this.#leaf) ? this.#leaf : this.#newest;
    for (let node = this.#nodes.get(at ?? ''); node !== undefined && !path.has(node.number); node = this.#nodes.get(at ?? '')) {
      path.add(node.number);
      at = node.parent;
    }
    return new Set([...this.#nodes.values()].filter(({ number }) => !path.has(number)).map(({ number }) => number));
  }
}
