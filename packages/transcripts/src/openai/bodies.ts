/** Request bodies one a line: each line is a session (RD-7). */
import { decode } from '../bytes/decode.ts';
import { lines } from '../bytes/lines.ts';
import { checkUnchanged, type Snapshot } from '../bytes/snapshot.ts';
import { linePieces } from '../json/lines.ts';
import { partsOf, type DocumentPart, type SessionDocument } from './document.ts';
import { layoutOf } from './layout.ts';
import { isBody } from '../detect/lines.ts';

export class LinesOfBodies implements SessionDocument {
  readonly #snapshot: Snapshot;
  readonly #limitBytes: number;
  readonly #starts: number[] = [];

  constructor(snapshot: Snapshot, limitBytes: number) {
    this.#snapshot = snapshot;
    this.#limitBytes = limitBytes;
  }

  async *all(onRaw: (chunk: Buffer) => void): AsyncGenerator<readonly DocumentPart[]> {
    for await (const batch of lines(decode(this.#snapshot, 0, { onRaw }), this.#limitBytes)) {
      for (const line of batch) {
        for (const piece of linePieces(line, isBody)) {
          if (piece.type !== 'record') continue;
          this.#starts.push(line.start);
          yield partsOf(piece.value, layoutOf(piece.value)?.key ?? 'messages', this.#starts.length - 1);
        }
      }
    }
  }

  async *session(index: number): AsyncGenerator<readonly DocumentPart[]> {
    await checkUnchanged(this.#snapshot);
    const start = this.#starts[index] ?? 0;
    let session = this.#starts.indexOf(start);
    for await (const batch of lines(decode(this.#snapshot, start), this.#limitBytes, 1, start)) {
      for (const piece of batch.flatMap((line) => linePieces(line, isBody))) {
        if (piece.type !== 'record') continue;
        if (session++ !== index) continue;
        yield partsOf(piece.value, layoutOf(piece.value)?.key ?? 'messages', index);
        return;
      }
    }
  }
}
