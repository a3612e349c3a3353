/** Sessions of a chat document. */
import type { Json } from '@palimpsest/contracts';
import type { JsonObject } from '../json/values.ts';
import { Linker } from '../linking.ts';
import { elementPiece, type Piece } from '../pieces.ts';
import { StreamedSession } from '../session.ts';
import type { FactsStep } from '../steps.ts';
import type { DocumentFormat, MakeReader, RecordReader, Scout } from '../formats.ts';
import type { DocumentPart, ElementPart, SessionDocument } from './document.ts';
import type { Beside } from './format.ts';

/** The first pass. */
export async function scanDocument(
  document: SessionDocument,
  reading: DocumentFormat,
  onRaw: (chunk: Buffer) => void,
): Promise<{ readonly sessions: StreamedSession[]; readonly elements: number }> {
  const plans: Plan[] = [];
  for await (const batch of document.all(onRaw)) for (const part of batch) (plans[part.session] ??= new Plan(reading)).see(part);
  const whole = [...plans].map((plan) => plan ?? new Plan(reading));
  for (const [index, plan] of whole.entries()) {
    if (!plan.finishScan()) continue;
    for await (const batch of document.session(index)) for (const part of batch) plan.link(part);
  }
  const elements = whole.reduce((sum, plan) => sum + plan.elements, 0);
  return { sessions: whole.map((plan, index) => plan.session(document, index)), elements };
}

class Plan {
  readonly #reading: DocumentFormat;
  readonly #scout: Scout;
  #make: MakeReader;
  #reader: RecordReader;
  #linker = new Linker();
  readonly #beside: JsonObject = {};
  #elements = 0;
  #records = 0;

  constructor(reading: DocumentFormat) {
    const { format } = reading;
    this.#reading = reading;
    this.#scout = format.scout(false);
    this.#make = format.reader;
    this.#reader = format.reader();
  }

  get elements(): number {
    return this.#elements;
  }

  see(part: DocumentPart): void {
    if ('key' in part) {
      if (this.#reading.kept.has(part.key)) this.#beside[part.key] = part.value;
      return;
    }
    if ('piece' in part) return;
    this.#elements = Math.max(this.#elements, part.index + 1);
    const piece = pieceOf(part);
    if (piece.type === 'record') this.#scout.see(piece, this.#records);
    this.#link(piece);
  }

  /** True: what the scan found changes the links, so the elements have to pass once more. */
  finishScan(): boolean {
    const { reader, again } = this.#scout.finish();
    this.#make = reader;
    if (!again) return false;
    this.#reader = reader();
    this.#linker = new Linker();
    this.#records = 0;
    return true;
  }

  link(part: DocumentPart): void {
    if ('index' in part) this.#link(pieceOf(part));
  }

  session(document: SessionDocument, index: number): StreamedSession {
    const beside = this.#reading.besideOf(this.#beside);
    const last = beside.reply === null ? null : elementPiece(this.#elements, beside.reply, null);
    if (last !== null) this.#link(last);
    this.#linker.take(this.#records, [factsOf(beside)]);
    const source = {
      format: this.#reading.format,
      links: this.#linker.finish(),
      reader: this.#make,
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
