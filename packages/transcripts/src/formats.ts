/** What a format has to bring: how its records are told, split and read. Everything else is the same for all. */
import type { Json } from '@palimpsest/contracts';
import type { JsonObject } from './json/values.ts';
import type { RecordPiece } from './pieces.ts';
import type { Step } from './steps.ts';
import type { DocumentPart } from './openai/document.ts';
import type { Beside } from './openai/beside.ts';
import type { Layout } from './openai/layout.ts';
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
  /** Documents: what stands beside the list of `elements` elements; called before `finish`. */
  beside?(object: JsonObject, elements: number): void;
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
  /** For formats in which a record alone does not say it: `seen` is what the running session's headers said so far. */
  startsAfter?(seen: readonly string[], value: JsonObject): { readonly starts: boolean; readonly seen: readonly string[] };
  kindOf(value: JsonObject): string;
  scout(tree: boolean): Scout;
  /** A reader that knows nothing beforehand. */
  reader: MakeReader;
}

/** A format whose file is one JSON document. */
export interface DocumentFormat {
  readonly format: Format;
  /** Null: the document holds no list of this format. Lists of `value` may be cut to their begin. */
  layoutOf(value: Json): Layout | null;
  /** Where the list may stand as well, when the first one turns out to have no element. */
  readonly otherwise?: Layout;
  /** Of the values beside a list these are handed to `besideOf`. */
  readonly kept: ReadonlySet<string>;
  besideOf(object: JsonObject): Beside;
  /** Several sessions may be one that grew, logged again and again: only the longest is read. */
  readonly growing?: true;
  /** Puts the parts of a session that is held in memory into order. */
  arrange?(parts: readonly DocumentPart[]): readonly DocumentPart[];
}
