import type { EntryKind } from '@palimpsest/contracts';
import { pack, unpack } from './codec.ts';
import { KINDS } from './kinds.ts';

/** As selected by {@link COLUMNS}. `turn` is a `seq` or, from elsewhere, an id; `time` milliseconds or another spelling; `body` null: not asked for, or in pieces. */
export type EntryRow = readonly [
  seq: number,
  id: string,
  parent: number | null,
  depth: number,
  turn: number | string | null,
  kind: number,
  time: number | string,
  tokens: number,
  body: string | Buffer | null,
];
/** Bodies only of the kinds whose bits are set in `:kinds`. */
export const COLUMNS = 'key & 0x7fffffff, id, parent, depth, turn, kind, time, tokens, CASE WHEN (:kinds >> kind) & 1 THEN body END';
export const ALL_KINDS = 2 ** 31 - 1;

export function kindMask(kinds: readonly EntryKind[] | undefined): number {
  return kinds === undefined ? ALL_KINDS : kinds.reduce((mask, kind) => mask | (1 << KINDS.indexOf(kind)), 0);
}

/** The milliseconds where they say it all, else the text itself. */
export function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== time ? time : ms;
}

/** Bodies of these kinds are long, alike and seldom read: compressed from here on, in characters; a turn waits for its step to be written. All else only where it is very long: a branch is read far more often than written. */
const PACKED_FROM: Readonly<Record<string, number>> = { step: 2048, compaction: 512, reduction: 512 };
const PACKED_FROM_ELSE = 32_768;

/** JSON is well formed (its lone surrogates are escaped), so bytes always are compressed UTF-8. */
export function packBody(kind: EntryKind, body: string): string | Buffer {
  return body.length < (PACKED_FROM[kind] ?? PACKED_FROM_ELSE) ? body : pack(body).body;
}

export function unpackBody(body: string | Buffer): string {
  return typeof body === 'string' ? body : unpack({ codec: 1, body });
}
