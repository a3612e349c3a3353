import { groupsOldestFirst, lowestTrust, voicesOf, type CompactRequest, type Group, type Piece, type Trust } from '@palimpsest/plugin-kit';
import { together, workOf, type Work } from './line.ts';

/** Neighbouring groups that are shown alike: an input of the user, the work on it, or what an earlier compaction made of both. */
export interface Stretch extends Piece {
  /** What it costs as it is to be shown. */
  readonly tokens: number;
  /** Inputs of the user up to here, this one included: the number of its turn. */
  readonly turn: number;
  readonly inputs: number;
  /** The newest input, an open tool batch, and as much of the newest part as the host wants whole: never covered. */
  readonly stays: boolean;
  /** Null: it is no work that a line could stand for. */
  readonly work: (Work & { readonly trust: Trust }) | null;
}

/** The branch as it is shown now, oldest first. */
export async function stretchesOf({ branch, newestUserEntry, protectedEntries, keepRecent }: CompactRequest): Promise<readonly Stretch[]> {
  const staying = new Set<string | null>([newestUserEntry, ...protectedEntries]);
  const stretches: Stretch[] = [];
  let left = branch.shownTokens;
  for await (const group of groupsOldestFirst(branch, null)) {
    const last = stretches.at(-1);
    const stays = left <= (keepRecent ?? 0) || group.placed.some(({ entry }) => staying.has(entry.id));
    const next = stretchOf(group, last?.turn ?? 0, stays);
    left -= group.shownTokens;
    if (last !== undefined && last.work !== null && next.work !== null) stretches[stretches.length - 1] = joined(last, next);
    else stretches.push(next);
  }
  return stretches;
}

function stretchOf({ placed, through, covered, shownTokens: tokens }: Group, turn: number, stays: boolean): Stretch {
  const inputs = placed.filter(({ entry }) => entry.kind === 'message' && entry.origin === 'user_input').length;
  const isWork = inputs === 0 && !stays && covered === null;
  return {
    through,
    tokens,
    inputs,
    stays,
    turn: turn + inputs,
    showing: covered === null ? { show: 'entries' } : withoutEnd(covered),
    work: isWork ? { ...workOf(placed), trust: lowestTrust(voicesOf(placed)) } : null,
  };
}

function withoutEnd({ through: _, ...showing }: NonNullable<Group['covered']>): Piece['showing'] {
  return showing;
}

function joined(first: Stretch, second: Stretch): Stretch {
  if (first.work === null || second.work === null) return second;
  const trust = first.work.trust === 'external' ? first.work.trust : second.work.trust;
  return { ...second, tokens: first.tokens + second.tokens, work: { ...together(first.work, second.work), trust } };
}
