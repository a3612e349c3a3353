/** A session that is read from the file each time it is iterated. */
import type { ToolSchema } from '@palimpsest/contracts';
import { Assembling } from './assembling.ts';
import { Counting } from './counting.ts';
import type { Format, MakeReader, RecordReader } from './formats.ts';
import type { Links } from './linking.ts';
import type { Piece } from './pieces.ts';
import type { Recognition } from './recognition.ts';
import type { TranscriptItem, TranscriptReport, TranscriptSession } from './transcript.ts';

export interface SessionSource {
  readonly format: Format;
  readonly links: Links;
  readonly reader: MakeReader;
  readonly recognition: Recognition;
  /** The session's pieces in batches, from its start. */
  pieces(): AsyncIterable<readonly Piece[]>;
}

export class StreamedSession implements TranscriptSession {
  readonly index: number;
  readonly id: string | null;
  readonly title: string | null;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  readonly #source: SessionSource;
  #newest: Counting;
  #finished: Counting | null = null;

  constructor(index: number, source: SessionSource, names: { readonly id: string | null; readonly title: string | null }) {
    this.index = index;
    this.#source = source;
    this.id = source.links.id ?? names.id;
    this.title = source.links.title ?? names.title;
    this.system = source.links.system;
    this.tools = source.links.tools;
    this.#newest = new Counting(source.format.name, source.format.position);
  }

  /** Of the first pass. */
  get recognition(): Recognition {
    return this.#source.recognition;
  }

  async *items(): AsyncGenerator<TranscriptItem> {
    const { format, links, reader } = this.#source;
    const counting = new Counting(format.name, format.position);
    this.#newest = counting;
    const pass: Pass = { format, counting, assembling: new Assembling(links, counting, format.name), reader: reader() };
    for await (const batch of this.#source.pieces()) {
      for (const piece of batch) {
        take(pass, piece);
        yield* pass.assembling.ready();
      }
    }
    yield* pass.assembling.ready();
    this.#finished = counting;
  }

  report(): TranscriptReport {
    return (this.#finished ?? this.#newest).report();
  }
}

interface Pass {
  readonly format: Format;
  readonly counting: Counting;
  readonly assembling: Assembling;
  readonly reader: RecordReader;
}

function take({ format, counting, assembling, reader }: Pass, piece: Piece): void {
  if (piece.type === 'note') counting.note(piece.at, piece.reason);
  else if (piece.type === 'skip') {
    counting.skipped(piece.at, piece.reason, piece.detail);
    if (piece.counts === true) counting.add('skippedRecords');
  } else {
    counting.kind(format.kindOf(piece.value));
    assembling.take(piece.at, reader.read(piece));
  }
}
