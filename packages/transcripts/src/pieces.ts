/** What the layers below formats hand up: records and what is wrong with the stretches between them. */
import type { Json } from '@palimpsest/contracts';
import type { JsonObject } from './json/values.ts';
import type { SkipReason } from './transcript.ts';

/** `at`: line or element index. `text` is the record's own JSON text where the bytes are at hand, so that signed blocks can be cut out exactly. */
export interface RecordPiece {
  readonly type: 'record';
  readonly at: number;
  readonly value: JsonObject;
  readonly text: string | null;
}
/** `counts`: an element of a document's message list is a record even when it is no object. `unseen`: too long to be looked at. */
export interface SkipPiece {
  readonly type: 'skip';
  readonly at: number;
  readonly reason: SkipReason;
  readonly detail?: string;
  readonly counts?: true;
  readonly unseen?: true;
}
export interface NotePiece {
  readonly type: 'note';
  readonly at: number;
  readonly reason: string;
}
export type Piece = RecordPiece | SkipPiece | NotePiece;

/** Any element of a message list as a piece. */
export function elementPiece(at: number, value: Json, text: string | null): Piece {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { type: 'record', at, value, text }
    : { type: 'skip', at, reason: 'malformed', detail: 'no object', counts: true };
}
