/** Request bodies one a line: each line is a session. */
import type { Json } from '@palimpsest/contracts';
import { decode } from '../bytes/decode.ts';
import { lines } from '../bytes/lines.ts';
import { checkUnchanged, type Snapshot } from '../bytes/snapshot.ts';
import { linePieces } from '../json/lines.ts';
import { partsOf, type DocumentPart, type SessionDocument } from './document.ts';
import { layoutOf, type Layout } from './layout.ts';
import { isBody } from '../detect/lines.ts';

export class LinesOfBodies implements SessionDocument {
  readonly #snapshot: Snapshot;
  readonly #limitBytes: number;
  readonly #starts: number[] = [];
  readonly #layoutOf: (value: Json) => Layout | null;

  constructor(snapshot: Snapshot, limitBytes: number, layoutOfBody: (value: Json) => Layout | null = layoutOf) {
    this.#layoutOf = layoutOfBody;
    this.#snapshot = snapshot;
    this.#limitBytes = limitBytes;
  }

  async *all(onRaw: (chunk: Buffer) => void): AsyncGenerator<readonly DocumentPart[]> {
    this.#starts.length = 0;
    for await (const batch of lines(decode(this.#snapshot, 0, { onRaw }), this.#limitBytes)) {
      for (const line of batch) {
        for (const piece of linePieces(line, isBody)) {
          if (piece.type !== 'record') continue;
          this.#starts.push(line.start);
          yield partsOf(piece.value, this.#layoutOf(piece.value)?.key ?? 'messages', this.#starts.length - 1);
        }
      }
    }
  }

  /** What is wrong between the bodies stands with the session before, or with the first one. */
  async *session(index: number): AsyncGenerator<readonly DocumentPart[]> {
    await checkUnchanged(this.#snapshot);
    const start = index === 0 ? 0 : (this.#starts[index] ?? 0);
    let session = index === 0 ? -1 : this.#starts.indexOf(start) - 1;
    const onNote = (reason: string): void => {
      late.push(reason);
    };
    const late: string[] = [];
    for await (const batch of lines(decode(this.#snapshot, start, { onNote }), this.#limitBytes, 1, start)) {
      for (const piece of batch.flatMap((line) => linePieces(line, isBody))) {
        if (piece.type === 'record' && ++session > index) return;
        if (Math.max(0, session) !== index) continue;
        yield piece.type === 'record'
          ? partsOf(piece.value, this.#layoutOf(piece.value)?.key ?? 'messages', index)
          : [{ session: index, piece: { ...piece, at: 0 } }];
      }
    }
    yield late.map((reason) => ({ session: index, piece: { type: 'note', at: 0, reason } }));
  }
}
