import type { Trust } from '@palimpsest/contracts';
import { lowestTrust, voicesOf } from '@palimpsest/plugin-kit';
import type { Piece } from './pieces.ts';

/** What a node over these pieces is worth. */
export function trustOf(pieces: readonly Piece[]): Trust {
  return lowestTrust(pieces.flatMap(voices));
}

function voices(piece: Piece): readonly Trust[] {
  if (piece.kind === 'shown') return voicesOf(piece.placed);
  return piece.segment.show === 'summary' ? [piece.segment.trust] : [];
}
