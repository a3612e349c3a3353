import type { Origin, Placed, Trust } from '@palimpsest/contracts';
import type { Piece } from './pieces.ts';

const rank: Readonly<Record<Trust, number>> = { user: 0, assistant: 1, tool: 2, external: 3 };
const byOrigin: Readonly<Record<Origin, Trust>> = {
  user_input: 'user', model: 'assistant', tool: 'tool', continuation: 'external', handoff: 'external', notice: 'external', observation: 'external',
};

/** The lowest of what a summary of these pieces repeats; a mix of voices is never worth more than a tool's. */
export function trustOf(pieces: readonly Piece[]): Trust {
  return pieces.flatMap(voices).reduce<Trust>((lowest, next) => (rank[next] > rank[lowest] ? next : lowest), 'tool');
}

function voices(piece: Piece): readonly Trust[] {
  if (piece.kind === 'covered') return piece.segment.show === 'summary' ? [piece.segment.trust] : [];
  return piece.placed.filter(({ shape }) => shape.kind !== 'silent').map(voice);
}

function voice({ entry }: Placed): Trust {
  return entry.kind === 'message' ? byOrigin[entry.origin] : 'external';
}
