import type { Format, MakeReader, RecordReader, Scout } from './formats.ts';
import { Linker } from './linking.ts';
import type { Piece } from './pieces.ts';
import { Recognition } from './recognition.ts';
import type { Step } from './steps.ts';

/** One session on the first way through its file: the scout sees its records, and they are linked. */
export class FirstPass {
  readonly scout: Scout;
  #make: MakeReader;
  #reader: RecordReader;
  #linker = new Linker();
  #records = 0;
  readonly #recognition = new Recognition();

  constructor(format: Format, tree: boolean) {
    this.scout = format.scout(tree);
    this.#make = format.reader;
    this.#reader = format.reader();
  }

  get records(): number {
    return this.#records;
  }

  see(piece: Piece): void {
    if (piece.type === 'record') this.scout.see(piece, this.#records);
    this.link(piece);
  }

  link(piece: Piece): void {
    if (piece.type === 'skip' && piece.unseen !== true) this.#recognition.skipped(piece.reason);
    if (piece.type !== 'record') return;
    const steps = this.#reader.read(piece);
    this.#recognition.read(steps);
    this.#linker.take(this.#records++, steps);
  }

  /** True: what the scout found changes the links, so the records have to be linked once more, from the first. */
  finish(): boolean {
    const { reader, again } = this.scout.finish();
    this.#make = reader;
    if (!again) return false;
    this.#reader = reader();
    this.#linker = new Linker();
    this.#recognition.restart();
    this.#records = 0;
    return true;
  }

  /** How the records are read from now on. `last`: steps behind those of all records. */
  result(last: readonly Step[] = []): {
    readonly reader: MakeReader;
    readonly links: ReturnType<Linker['finish']>;
    readonly recognition: Recognition;
  } {
    if (last.length > 0) this.#linker.take(this.#records, last);
    return { reader: this.#make, links: this.#linker.finish(), recognition: this.#recognition };
  }
}
