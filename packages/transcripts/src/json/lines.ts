/** JSONL: lines as records, and what is wrong with the rest. */
import { isUtf8 } from 'node:buffer';
import { isTooDeep } from '@palimpsest/contracts';
import type { Line } from '../bytes/lines.ts';
import type { Piece } from '../pieces.ts';
import { takeApart, type RecordTest } from './apart.ts';
import { clipped, TOO_DEEP_NOTE } from './depth.ts';
import { objectOf, tryParse, type JsonObject } from './values.ts';

const MARK = '\uFEFF';
/** Bytes that are no UTF-8 are shown as U+FFFD. */
export const NOT_UTF8_NOTE = 'not-utf-8';

/** The pieces of one line; none for a line of white space. */
export function linePieces(line: Line, isRecord: RecordTest): Piece[] {
  const at = line.number;
  if (line.bytes === null)
    return [{ type: 'skip', at, reason: 'malformed', detail: `a line of ${String(line.length)} bytes is over the limit` }];
  const decoded = line.bytes.toString('utf8');
  const marked = line.start === 0 && decoded.startsWith(MARK);
  const text = marked ? decoded.slice(1) : decoded;
  const pieces = textPieces(text, at, isRecord);
  const isReplaced = pieces.some((piece) => piece.type === 'record') && !isUtf8(line.bytes);
  const odd = [...(marked ? ['bom'] : []), ...(isReplaced ? [NOT_UTF8_NOTE] : [])];
  return [...odd.map((reason): Piece => ({ type: 'note', at, reason })), ...pieces];
}

function textPieces(text: string, at: number, isRecord: RecordTest): Piece[] {
  if (text.trim() === '') return [];
  const value = objectOf(tryParse(text));
  if (value !== null) return recordPieces(value, text, at);
  const { records, skipped, notes } = takeApart(text, isRecord);
  return [
    ...notes.map((reason): Piece => ({ type: 'note', at, reason })),
    ...skipped.map((reason): Piece => ({ type: 'skip', at, reason })),
    ...records.flatMap((record) => recordPieces(record.value, record.text, at)),
  ];
}

/** The text of a record that was cut says something else. */
function recordPieces(value: JsonObject, text: string, at: number): Piece[] {
  if (!isTooDeep(value)) return [{ type: 'record', at, value, text }];
  return [
    { type: 'note', at, reason: TOO_DEEP_NOTE },
    { type: 'record', at, value: objectOf(clipped(value)) ?? {}, text: null },
  ];
}
