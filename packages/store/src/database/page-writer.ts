import type { EntryPage } from '../worker/protocol.ts';
import type { EntryRow } from './entry-row.ts';
import type { SessionRow } from './session-table.ts';

interface Reader {
  body(session: number, row: EntryRow): string;
  id(session: number, seq: number): string | null;
}

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

  /** One loop over the rows: a page is put together while somebody waits for it. */
  done(): EntryPage {
    const count = this.#rows.length;
    const names = this.#rows.map((row) => row[1]);
    const place = this.#placer(names);
    const page = {
      names,
      parents: new Int32Array(count),
      turns: new Int32Array(count),
      seqs: new Int32Array(count),
      depths: new Int32Array(count),
      kinds: new Uint8Array(count),
      times: this.#rows.map((row) => row[6]),
      tokens: new Float64Array(count),
      bodies: this.#bodies,
    };
    for (const [at, [seq, , parent, depth, turn, kind, , tokens]] of this.#rows.entries()) {
      page.parents[at] = place(parent, at);
      page.turns[at] = place(turn, at);
      page.seqs[at] = seq;
      page.depths[at] = depth;
      page.kinds[at] = kind;
      page.tokens[at] = tokens;
    }
    return page;
  }

  /** Parents and turns are rows of the page itself (a parent the next one, as a rule), or rows passed over, or else are looked up, each once. */
  #placer(names: string[]): (of: number | string | null, at: number) => number {
    const rows = this.#rows;
    const places = new Map<number, number>(rows.map((row, at) => [row[0], at]));
    return (of, at) => {
      if (of === null) return -1;
      if (typeof of === 'string') return names.push(of) - 1;
      if (rows[at + 1]?.[0] === of) return at + 1;
      const found = places.get(of) ?? names.push(this.#passed.get(of) ?? this.#reader.id(this.session.number, of) ?? '') - 1;
      places.set(of, found);
      return found;
    };
  }
}
