/** Which stretches become leaves. Pure. */
import type { Piece, ShownPiece } from './pieces.ts';

export interface LeafRules {
  /** Tokens of one leaf's source. */
  readonly sourceTokens: number;
  /** Newest tokens to leave as they are. */
  readonly tailTokens: number;
}

/** Positions from `from` up to and without `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/** Oldest first. A run ends where a turn begins, once it is large enough; a turn larger than twice that is cut between its steps. */
export function leafRuns(pieces: readonly Piece[], { sourceTokens, tailTokens }: LeafRules): readonly Run[] {
  const end = tailStart(pieces, tailTokens);
  const runs: Run[] = [];
  let from = 0;
  let tokens = 0;
  const close = (to: number): void => {
    if (to > from && tokens > 0) runs.push({ from, to });
    [from, tokens] = [to, 0];
  };
  for (const [at, piece] of pieces.slice(0, end).entries()) {
    if (!isFree(piece)) {
      close(at);
      from = at + 1;
      continue;
    }
    if (tokens >= (piece.opensTurn ? sourceTokens : 2 * sourceTokens)) close(at);
    tokens += piece.tokens;
  }
  close(end);
  return runs;
}

/** First position of the newest part that costs at most `tokens`. */
export function tailStart(pieces: readonly Piece[], tokens: number): number {
  let left = tokens;
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const piece = pieces[at];
    if (piece?.kind !== 'shown' || piece.tokens > left) return at + 1;
    left -= piece.tokens;
  }
  return 0;
}

function isFree(piece: Piece): piece is ShownPiece {
  return piece.kind === 'shown' && !piece.fixed;
}
