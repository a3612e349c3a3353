/** Sessions of a chat document. */
import type { Json } from '@palimpsest/contracts';
import type { JsonObject } from '../json/values.ts';
import { Linker } from '../linking.ts';
import { elementPiece, type Piece } from '../pieces.ts';
import { StreamedSession } from '../session.ts';
import type { FactsStep } from '../steps.ts';
import type { Format, RecordReader } from '../formats.ts';
import type { DocumentPart, ElementPart, SessionDocument } from './document.ts';
import { besideOf, type Beside } from './format.ts';

/** The first pass. */
export async function scanDocument(document: SessionDocument, format: Format, onRaw: (chunk: Buffer) => void): Promise<StreamedSession[]> {
  const plans: Plan[] = [];
  for await (const batch of document.all(onRaw)) for (const part of batch) (plans[part.session] ??= new Plan(format)).see(part);
  return [...plans].map((plan, index) => (plan ?? new Plan(format)).session(document, index));
}

/** Of the values beside a list only these are looked at again. */
const KEPT = new Set(['tools', 'functions', 'response', 'id', 'title', 'instance_id', 'task_id', 'trial', 'system']);

class Plan {
  readonly #format: Format;
  readonly #reader: RecordReader;
  readonly #linker = new Linker();
  readonly #beside: JsonObject = {};
  #elements = 0;
  #records = 0;

  constructor(format: Format) {
    this.#format = format;
    this.#reader = format.reader();
  }

  see(part: DocumentPart): void {
    if ('key' in part) {
      if (KEPT.has(part.key)) this.#beside[part.key] = part.value;
      return;
    }
    if ('piece' in part) return;
    this.#elements = Math.max(this.#elements, part.index + 1);
    this.#link(pieceOf(part));
  }

  session(document: SessionDocument, index: number): StreamedSession {
    const beside = besideOf(this.#beside);
    const last = beside.reply === null ? null : elementPiece(this.#elements, beside.reply, null);
    if (last !== null) this.#link(last);
    this.#linker.take(this.#records, [factsOf(beside)]);
    const source = {
      format: this.#format,
      links: this.#linker.finish(),
      reader: this.#format.reader,
      pieces: () => pieces(document, index, last),
    };
    return new StreamedSession(index, source, beside);
  }

  #link(piece: Piece): void {
    if (piece.type === 'record') this.#linker.take(this.#records++, this.#reader.read(piece));
  }
}

const factsOf = ({ tools, system }: Beside): FactsStep => ({ do: 'facts', tools, ...(system === null ? {} : { system }) });

async function* pieces(document: SessionDocument, index: number, last: Piece | null): AsyncGenerator<Piece[]> {
  for await (const batch of document.session(index))
    yield batch.flatMap((part) => ('key' in part ? [] : ['piece' in part ? part.piece : pieceOf(part)]));
  if (last !== null) yield [last];
}

function pieceOf(part: ElementPart): Piece {
  if (part.tooLong !== undefined)
    return {
      type: 'skip',
      at: part.index,
      reason: 'malformed',
      detail: `an element of ${String(part.tooLong)} bytes is over the limit`,
      counts: true,
    };
  return elementPiece(part.index, part.value satisfies Json, null);
}
