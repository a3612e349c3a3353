import type { EntryPage } from '../worker/protocol.ts';
import type { EntryRow } from './entry-row.ts';
import type { SessionRow } from './session-table.ts';

interface Reader { body(session: number, row: EntryRow): string; id(session: number, seq: number): string | null }

/** Puts a page together from the rows of a walk. */
export class PageWriter {
  readonly session: SessionRow;
  characters = 0;
  readonly #reader: Reader;
  readonly #rows: EntryRow[] = [];
  readonly #bodies: string[] = [];
  readonly #passed = new Map<number, string>();

  constructor(session: SessionRow, reader: Reader) {
    this.session = session;
    this.#reader = reader;
  }

  get entries(): number {
    return this.#rows.length;
  }

  /** The next row; `wanted`: it belongs on the page. */
  pass(row: EntryRow, wanted: boolean): void {
    if (!wanted) {
      if (this.#rows.at(-1)?.[2] === row[0]) this.#passed.set(row[0], row[1]);
      return;
    }
    const body = this.#reader.body(this.session.number, row);
    this.#rows.push(row);
    this.#bodies.push(body);
    this.characters += body.length;
  }

  /** Parents and turns are rows of the page itself, or rows passed over, or else are looked up, each once. */
  done(): EntryPage {
    const rows = this.#rows;
    const names = rows.map((row) => row[1]);
    const places = new Map<number, number>(rows.map((row, at) => [row[0], at]));
    const place = (seq: number): number => {
      const at = places.get(seq) ?? names.push(this.#passed.get(seq) ?? this.#reader.id(this.session.number, seq) ?? '') - 1;
      places.set(seq, at);
      return at;
    };
    const column = (of: (row: EntryRow) => number | string | null): Int32Array => Int32Array.from(rows, (row) => {
      const value = of(row);
      return typeof value === 'number' ? place(value) : value === null ? -1 : names.push(value) - 1;
    });
    return {
      parents: column((row) => row[2]),
      turns: column((row) => row[4]),
      seqs: Int32Array.from(rows, (row) => row[0]),
      depths: Int32Array.from(rows, (row) => row[3]),
      kinds: Uint8Array.from(rows, (row) => row[5]),
      times: rows.map((row) => row[6]),
      tokens: Float64Array.from(rows, (row) => row[7]),
      bodies: this.#bodies,
      names,
    };
  }
}
