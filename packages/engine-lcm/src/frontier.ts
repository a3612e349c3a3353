import type { Artifact, Segment } from '@palimpsest/contracts';
import { segmentsFrom } from '@palimpsest/plugin-kit';
import type { Run } from './leaves.ts';
import { tokensOf, type Node } from './node-writer.ts';
import type { Piece } from './pieces.ts';

/** The branch as it would be shown: pieces in order, some of them nodes made just now. */
export class Frontier {
  readonly pieces: Piece[];
  tokens: number;
  readonly #made = new Map<string, Artifact>();

  constructor(pieces: readonly Piece[]) {
    this.pieces = [...pieces];
    this.tokens = tokensOf(pieces);
  }

  replace({ from, to }: Run, { piece, artifact }: Node): void {
    const replaced = this.pieces.splice(from, to - from, piece);
    this.tokens += piece.tokens - tokensOf(replaced);
    this.#made.set(piece.through, artifact);
  }

  get changed(): boolean {
    return this.#made.size > 0;
  }

  /** From the root to the last node or gap; what follows is shown. */
  segments(): readonly Segment[] {
    const units = this.pieces.map((piece) => ({ through: piece.through, showing: piece.kind === 'shown' ? ENTRIES : piece.segment }));
    const segments = segmentsFrom(units);
    return segments.at(-1)?.show === 'entries' ? segments.slice(0, -1) : segments;
  }

  /** Bodies of the nodes that are still in it; those folded away are not kept. */
  artifacts(): readonly Artifact[] {
    const shown = new Set<string>(this.pieces.map(({ through }) => through));
    return [...this.#made].filter(([through]) => shown.has(through)).map(([, artifact]) => artifact);
  }
}

const ENTRIES = { show: 'entries' } as const;
