/** Our own export, record by record, for an importer that writes them back as they were. */
import { isUtf8 } from 'node:buffer';
import { artifactsOf, errors } from '@palimpsest/contracts';
import type { Artifact, ArtifactId, Entry, EntryId } from '@palimpsest/contracts';
import { decode } from '../bytes/decode.ts';
import { lines, type Line } from '../bytes/lines.ts';
import { takeSnapshot } from '../bytes/snapshot.ts';
import type { OwnHeader } from '../export/own-lines.ts';
import { objectOf, tryParse } from '../json/values.ts';
import { readOwnLine } from './lines.ts';

/**
 * `note`: `torn` (the last line is cut off, everything before it was read), `ended-early` (fewer entries than the header says),
 * `artifact-missing` (an entry names one that has no line), `leaf-missing`, and what the compression says.
 */
export type OwnRecord =
  | { readonly kind: 'session'; readonly line: number; readonly header: OwnHeader }
  | { readonly kind: 'artifact'; readonly line: number; readonly artifact: Artifact }
  | { readonly kind: 'entry'; readonly line: number; readonly entry: Entry }
  | { readonly kind: 'note'; readonly line: number; readonly reason: string };

const LINE_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Streams one session. Holds the ids seen, nothing else.
 * @throws TRANSCRIPT_UNREADABLE, TRANSCRIPT_UNSUPPORTED (a later version), TRANSCRIPT_LINE_INVALID (names the line): what came before
 * it was whole, but an importer leaves nothing of it.
 */
export async function* readOwnExport(file: string): AsyncGenerator<OwnRecord> {
  const snapshot = await takeSnapshot(file);
  const reading = new Reading(file);
  const notes: string[] = [];
  const onNote = (reason: string): void => {
    notes.push(reason);
  };
  let held: Line | null = null;
  for await (const batch of lines(decode(snapshot, 0, { onNote }), LINE_LIMIT_BYTES)) {
    for (const line of batch) {
      if (held !== null) yield* reading.read(held, false);
      held = line;
    }
  }
  if (held !== null) yield* reading.read(held, true);
  yield* reading.end(notes);
}

class Reading {
  readonly #file: string;
  readonly #entries = new Set<EntryId>();
  readonly #artifacts = new Set<ArtifactId>();
  #header: OwnHeader | null = null;
  #seq = 0;
  #line = 0;

  constructor(file: string) {
    this.#file = file;
  }

  *read(line: Line, isLast: boolean): Generator<OwnRecord> {
    this.#line = line.number;
    if (line.bytes === null) throw this.#invalid(`a line of ${String(line.length)} bytes`);
    const text = line.bytes.toString('utf8').replace(line.number === 1 ? /^\uFEFF/u : /(?!)/u, '');
    if (text.trim() === '') return;
    const value = objectOf(tryParse(text));
    if (value === null) {
      if (!isLast || this.#header === null || tryParse(text) !== undefined) throw this.#invalid('no JSON object');
      yield this.#note('torn');
      return;
    }
    if (!isUtf8(line.bytes)) throw this.#invalid('no UTF-8');
    const found = readOwnLine(value);
    if ('version' in found)
      throw errors.transcriptUnsupported(this.#file, `an export of version ${String(found.version)}; this version knows up to 1`);
    if ('problem' in found) throw this.#invalid(found.problem);
    if (found.kind === 'session') yield this.#begin(found.header);
    else if (this.#header === null) throw this.#invalid('the header has to come first');
    else if (found.kind === 'artifact') yield this.#artifact(found.artifact);
    else yield* this.#entry(found.entry, this.#header);
  }

  *end(notes: readonly string[]): Generator<OwnRecord> {
    if (this.#header === null) throw errors.transcriptUnknownFormat(this.#file, 'no header of an export');
    const { entries, leaf } = this.#header;
    if (this.#entries.size < entries) yield this.#note('ended-early');
    if (leaf !== null && !this.#entries.has(leaf)) yield this.#note('leaf-missing');
    for (const reason of notes) yield this.#note(reason);
  }

  #begin(header: OwnHeader): OwnRecord {
    if (this.#header !== null) throw this.#invalid('a second header');
    this.#header = header;
    return { kind: 'session', line: this.#line, header };
  }

  #artifact(artifact: Artifact): OwnRecord {
    if (this.#artifacts.has(artifact.id)) throw this.#invalid(`artifact ${artifact.id} a second time`);
    this.#artifacts.add(artifact.id);
    return { kind: 'artifact', line: this.#line, artifact };
  }

  *#entry(entry: Entry, header: OwnHeader): Generator<OwnRecord> {
    if (entry.session !== header.id) throw this.#invalid(`an entry of session ${entry.session}`);
    if (entry.seq <= this.#seq) throw this.#invalid(`seq ${String(entry.seq)} behind ${String(this.#seq)}`);
    if (this.#entries.has(entry.id)) throw this.#invalid(`entry ${entry.id} a second time`);
    if (entry.parent !== null && entry.parent !== header.parent?.entry && !this.#entries.has(entry.parent))
      throw this.#invalid(`entry ${entry.id} hangs under ${entry.parent}, which does not come before it`);
    this.#seq = entry.seq;
    this.#entries.add(entry.id);
    for (const id of artifactsOf(entry)) if (!this.#artifacts.has(id)) yield this.#note(`artifact-missing`);
    yield { kind: 'entry', line: this.#line, entry };
  }

  #note(reason: string): OwnRecord {
    return { kind: 'note', line: this.#line, reason };
  }

  #invalid(problem: string): Error {
    return errors.transcriptLineInvalid(this.#file, this.#line, problem);
  }
}
