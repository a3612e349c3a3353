/** Which neighbouring nodes become one of the next level. Pure. */
import type { Piece } from './pieces.ts';
import type { Run } from './leaves.ts';

/** The oldest run of summaries that lie side by side, `fanout` of them, or what there is when it is at least two; null: none. */
export function foldRun(pieces: readonly Piece[], fanout: number): Run | null {
  let from = 0;
  let best: Run | null = null;
  for (let at = 0; at <= pieces.length; at += 1) {
    if (isNode(pieces[at]) && at - from < fanout) continue;
    if (at - from >= 2) {
      if (at - from === fanout) return { from, to: at };
      best ??= { from, to: at };
    }
    from = isNode(pieces[at]) ? at : at + 1;
  }
  return best;
}

function isNode(piece: Piece | undefined): boolean {
  return piece?.kind === 'covered' && piece.segment.show === 'summary';
}
