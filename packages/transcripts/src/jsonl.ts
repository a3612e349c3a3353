/** JSONL files: sessions one after another, each known by the line on which it begins. */
import { decode } from './bytes/decode.ts';
import { lines } from './bytes/lines.ts';
import { checkUnchanged, type Snapshot } from './bytes/snapshot.ts';
import { FirstPass } from './first-pass.ts';
import type { Format } from './formats.ts';
import { linePieces } from './json/lines.ts';
import type { Piece } from './pieces.ts';
import { StreamedSession } from './session.ts';

export interface JsonlFile {
  readonly snapshot: Snapshot;
  readonly format: Format;
  readonly lineLimitBytes: number;
}
/** Before the line: `session` counts from 0, `headed` says whether that one has its header already. */
interface Start {
  readonly byte: number;
  readonly line: number;
  readonly session: number;
  readonly headed: boolean;
  /** What its headers said, for formats that look back. */
  readonly seen: readonly string[];
}
interface Tagged {
  readonly session: number;
  readonly piece: Piece;
  readonly start: Start;
}

/** The first pass. `onRaw` sees the raw bytes. */
export async function scanJsonl(file: JsonlFile, tree: boolean, onRaw: (chunk: Buffer) => void): Promise<StreamedSession[]> {
  const begin: Start = { byte: 0, line: 1, session: 0, headed: false, seen: [] };
  const plans: Plan[] = [];
  for await (const batch of tagged(file, begin, onRaw)) {
    for (const { session, piece, start } of batch) (plans[session] ??= new Plan(file.format, tree, start)).pass.see(piece);
  }
  if (plans.every(({ pass }) => pass.records === 0)) return [];
  const again = plans.filter(({ pass }) => pass.finish());
  if (again.length > 0) {
    for await (const batch of tagged(file, begin))
      for (const { session, piece } of batch) again.find((plan) => plan === plans[session])?.pass.link(piece);
  }
  return plans.map((plan, index) => plan.session(file, index));
}

/** What the first pass gathers of one session. */
class Plan {
  readonly pass: FirstPass;
  readonly #format: Format;
  readonly #start: Start;

  constructor(format: Format, tree: boolean, start: Start) {
    this.pass = new FirstPass(format, tree);
    this.#format = format;
    this.#start = start;
  }

  session(file: JsonlFile, index: number): StreamedSession {
    const start = this.#start;
    const source = { format: this.#format, ...this.pass.result(), pieces: () => sessionPieces(file, start, index) };
    return new StreamedSession(index, source, { id: null, title: null });
  }
}

async function* sessionPieces(file: JsonlFile, start: Start, session: number): AsyncGenerator<Piece[]> {
  await checkUnchanged(file.snapshot);
  for await (const batch of tagged(file, start)) {
    yield batch.filter((one) => one.session === session).map((one) => one.piece);
    if (batch.some((one) => one.session > session)) return;
  }
}

/** All pieces from a line on, each with the session it belongs to. */
async function* tagged(file: JsonlFile, from: Start, onRaw?: (chunk: Buffer) => void): AsyncGenerator<Tagged[]> {
  const { format, snapshot, lineLimitBytes } = file;
  const notes: string[] = [];
  let { session, headed, seen, line: last } = from;
  const hooks = {
    ...(onRaw === undefined ? {} : { onRaw }),
    onNote: (reason: string) => {
      notes.push(reason);
    },
  };
  for await (const batch of lines(decode(snapshot, from.byte, hooks), lineLimitBytes, from.line, from.byte)) {
    const found: Tagged[] = [];
    for (const line of batch) {
      const start = { byte: line.start, line: line.number, session, headed, seen };
      last = line.number;
      for (const piece of linePieces(line, format.isRecord)) {
        if (piece.type === 'record') {
          const { starts, seen: now } = format.startsAfter?.(seen, piece.value) ?? { starts: format.startsSession(piece.value), seen };
          if (starts && headed) session++;
          headed ||= starts;
          seen = now;
        }
        found.push({ session, piece, start });
      }
    }
    yield found;
  }
  if (notes.length > 0) yield notes.map((reason) => ({ session, piece: { type: 'note', at: last, reason }, start: from }));
}
