/** What a format has to bring: how its records are told, split and read. Everything else is the same for all. */
import type { JsonObject } from './json/values.ts';
import type { RecordPiece } from './pieces.ts';
import type { Step } from './steps.ts';
import type { FormatName } from './transcript.ts';

/** Reads the records of one session, in order; one reader per pass. */
export interface RecordReader {
  read(record: RecordPiece): readonly Step[];
}
export type MakeReader = () => RecordReader;

/** Gathers during the first pass what readers must know beforehand. */
export interface Scout {
  /** Called for every record; `record` is its number within the session, from 0. */
  see(record: RecordPiece, number: number): void;
  /** `again`: calls, results or message keys read differently now, so they have to be linked once more. */
  finish(): { readonly reader: MakeReader; readonly again: boolean };
}

export interface Format {
  readonly name: FormatName;
  readonly position: 'line' | 'index';
  /** Tells a record from an object inside a cut-off one. */
  isRecord(value: JsonObject): boolean;
  /** Begins another session when the running one has such a record already. */
  startsSession(value: JsonObject): boolean;
  kindOf(value: JsonObject): string;
  scout(tree: boolean): Scout;
  /** A reader that knows nothing beforehand. */
  reader: MakeReader;
}
