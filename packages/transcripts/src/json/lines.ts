/** JSONL: lines as records, and what is wrong with the rest. */
import type { Line } from '../bytes/lines.ts';
import type { Piece } from '../pieces.ts';
import { takeApart, type RecordTest } from './apart.ts';
import { objectOf, tryParse } from './values.ts';

const MARK = '\uFEFF';

/** The pieces of one line; none for a line of white space. */
export function linePieces(line: Line, isRecord: RecordTest): Piece[] {
  const at = line.number;
  if (line.bytes === null)
    return [{ type: 'skip', at, reason: 'malformed', detail: `a line of ${String(line.length)} bytes is over the limit` }];
  const decoded = line.bytes.toString('utf8');
  const marked = line.start === 0 && decoded.startsWith(MARK);
  const text = marked ? decoded.slice(1) : decoded;
  const notes: Piece[] = marked ? [{ type: 'note', at, reason: 'bom' }] : [];
  return [...notes, ...textPieces(text, at, isRecord)];
}

function textPieces(text: string, at: number, isRecord: RecordTest): Piece[] {
  if (text.trim() === '') return [];
  const value = objectOf(tryParse(text));
  if (value !== null) return [{ type: 'record', at, value, text }];
  const { records, skipped, notes } = takeApart(text, isRecord);
  return [
    ...notes.map((reason): Piece => ({ type: 'note', at, reason })),
    ...skipped.map((reason): Piece => ({ type: 'skip', at, reason })),
    ...records.map((record): Piece => ({ type: 'record', at, ...record })),
  ];
}
