/** A document too large to be parsed whole: the elements of its lists, one by one. */
import { errors } from '@palimpsest/contracts';
import type { Json } from '@palimpsest/contracts';
import { decode } from '../bytes/decode.ts';
import { checkUnchanged, type Snapshot } from '../bytes/snapshot.ts';
import { ElementScanner, type Found, type Path } from '../json/elements.ts';
import { tryParse } from '../json/values.ts';
import { noSession, noteParts, readable, type DocumentPart, type SessionDocument } from './document.ts';
import type { Layout } from './layout.ts';

/** A value beside the list (a configuration, say) is only looked at up to this size. */
const BESIDE_BYTES = 4 * 1024 * 1024;

export class StreamedDocument implements SessionDocument {
  readonly #snapshot: Snapshot;
  readonly #layout: Layout;
  readonly #limitBytes: number;
  /** By session, where its object begins; only for lists of sessions. */
  readonly #starts: number[] = [];
  readonly #notes: string[] = [];

  constructor(snapshot: Snapshot, layout: Layout, limitBytes: number) {
    this.#snapshot = snapshot;
    this.#layout = layout;
    this.#limitBytes = limitBytes;
  }

  /** @throws TRANSCRIPT_TORN, TRANSCRIPT_UNKNOWN_FORMAT for a document that ends early or does not parse. */
  async *all(onRaw: (chunk: Buffer) => void): AsyncGenerator<readonly DocumentPart[]> {
    const { many, key } = this.#layout;
    const scanner = this.#scanner(
      (path) =>
        many ? path.length <= 1 || (path.length === 2 && path[1] === key) : path.length === 0 || (path.length === 1 && path[0] === key),
      0,
    );
    this.#notes.length = 0;
    let bytes = 0;
    for await (const chunk of decode(this.#snapshot, 0, {
      onRaw,
      onNote: (reason) => {
        this.#notes.push(reason);
      },
    })) {
      if (bytes === 0 && chunk.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf') this.#notes.push('bom');
      bytes += chunk.length;
      yield this.#parts(scanner.push(chunk), many, 0);
      if (scanner.trailing !== -1) throw this.#broken(scanner.trailing);
    }
    if (!scanner.done) throw errors.transcriptTorn(this.#snapshot.file, bytes);
  }

  async *session(index: number): AsyncGenerator<readonly DocumentPart[]> {
    await checkUnchanged(this.#snapshot);
    if (index === 0) yield noteParts(this.#notes);
    const { many, key } = this.#layout;
    const start = many ? this.#starts[index] : 0;
    if (start === undefined) {
      yield [noSession(index)];
      return;
    }
    const scanner = this.#scanner((path) => path.length === 0 || (path.length === 1 && path[0] === key), start);
    for await (const chunk of decode(this.#snapshot, start)) {
      yield this.#parts(scanner.push(chunk), false, index);
      if (scanner.done) return;
    }
  }

  #scanner(descend: (path: Path) => boolean, firstByte: number): ElementScanner {
    return new ElementScanner({
      descend,
      firstByte,
      keepBytes: (path) => (typeof path.at(-1) === 'number' ? this.#limitBytes : BESIDE_BYTES),
    });
  }

  #parts(found: readonly Found[], many: boolean, session: number): DocumentPart[] {
    const parts: DocumentPart[] = [];
    for (const one of found) {
      const at = many ? Number(one.path[0] ?? 0) : session;
      if (one.bytes === null && many && one.path.length === 1) this.#starts[at] = one.start;
      if (one.bytes !== null) parts.push(...this.#part(one, one.bytes, many ? one.path.slice(1) : one.path, at));
    }
    return parts;
  }

  /** An element, or a value beside the list. */
  #part(found: Found, bytes: Buffer, path: Path, session: number): DocumentPart[] {
    const last = path.at(-1);
    const cut = found.length > bytes.length;
    if (last === undefined) return [noSession(session)];
    if (cut) return typeof last === 'number' ? [{ session, index: last, value: null, tooLong: found.length }] : [];
    const parsed: Json | undefined = tryParse(bytes.toString('utf8'));
    if (parsed === undefined) throw this.#broken(found.start);
    const { value, notes } = readable(parsed, bytes);
    const part = typeof last === 'number' ? { session, index: last, value } : { session, key: last, value };
    return [...noteParts(notes, session, typeof last === 'number' ? last : 0), part];
  }

  #broken(byte: number): Error {
    return errors.transcriptUnknownFormat(this.#snapshot.file, `JSON that does not parse, at byte ${String(byte)}`);
  }
}
