/** A branch in pieces that no edge may cut, as the engine thinks of it. */
import type { CompactRequest, NothingSegment, Placed, SummarySegment } from '@palimpsest/contracts';
import { groupsOldestFirst, type Group } from '@palimpsest/plugin-kit';

/** Entries that are shown. */
export interface ShownPiece {
  readonly kind: 'shown';
  readonly placed: readonly Placed[];
  readonly through: Group['through'];
  readonly tokens: number;
  /** Holds real user input: a turn begins here. */
  readonly opensTurn: boolean;
  /** Has to stay as it is. */
  readonly fixed: boolean;
}
/** A stretch that a summary or a gap in force stands for: an item of the frontier. */
export interface CoveredPiece {
  readonly kind: 'covered';
  readonly placed: readonly Placed[];
  readonly through: Group['through'];
  readonly tokens: number;
  readonly segment: SummarySegment | NothingSegment;
}
export type Piece = ShownPiece | CoveredPiece;

type Asked = Pick<CompactRequest, 'branch' | 'newestUserEntry' | 'protectedEntries'>;

/** Oldest first; together they hold every entry once. */
export async function piecesOf({ branch, newestUserEntry, protectedEntries }: Asked): Promise<Piece[]> {
  const fixed = new Set<string>([...protectedEntries, ...(newestUserEntry === null ? [] : [newestUserEntry])]);
  const pieces: Piece[] = [];
  for await (const group of groupsOldestFirst(branch, null)) pieces.push(pieceOf(group, fixed));
  return pieces;
}

function pieceOf({ placed, through, shownTokens: tokens, covered }: Group, fixed: ReadonlySet<string>): Piece {
  if (covered !== null) return { kind: 'covered', placed, through, tokens, segment: covered };
  return {
    kind: 'shown',
    placed,
    through,
    tokens,
    opensTurn: placed.some(isUserInput),
    fixed: placed.some(({ entry }) => fixed.has(entry.id)),
  };
}

function isUserInput({ entry, shape }: Placed): boolean {
  return shape.kind !== 'silent' && entry.kind === 'message' && entry.origin === 'user_input';
}
