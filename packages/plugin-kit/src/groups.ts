import type { BranchReader, EntryId, Placed } from '@palimpsest/contracts';

/** Entries that go in or out together: a tool call with its results and whatever stands between them, or one other entry. An edge of a plan may follow `through`. */
export interface Group {
  readonly placed: readonly Placed[];
  /** The last entry of the group. */
  readonly through: EntryId;
  /** Sum over `placed`. */
  readonly shownTokens: number;
}

/**
 * The groups after `after` (null: from the root), oldest first; together they hold every entry once. `after` has to be an edge itself,
 * such as the last entry that a compaction covers. Reads the stretch twice, because only its newer part tells where a group ends;
 * keeps one group in memory, and one id per open-ended group.
 */
export async function* groupsOldestFirst(branch: BranchReader, after: EntryId | null): AsyncGenerator<Group, void, void> {
  const ends = await groupEnds(branch, after);
  let placed: Placed[] = [];
  const open = new Set<EntryId>();
  for await (const one of branch.oldestFirst(after)) {
    placed.push(one);
    const end = ends.get(one.group);
    if (end !== undefined) open.add(one.group);
    if (end === one.entry.id) open.delete(one.group);
    if (open.size > 0) continue;
    yield group(placed);
    placed = [];
  }
  if (placed.length > 0) yield group(placed);
}

/** The last entry of every group that has more than one. */
async function groupEnds(branch: BranchReader, after: EntryId | null): Promise<ReadonlyMap<EntryId, EntryId>> {
  const ends = new Map<EntryId, EntryId>();
  for await (const { entry, group: name } of branch.newestFirst()) {
    if (entry.id === after) break;
    if (entry.id !== name && !ends.has(name)) ends.set(name, entry.id);
  }
  return ends;
}

function group(placed: readonly Placed[]): Group {
  const last = placed[placed.length - 1];
  if (last === undefined) throw new RangeError('A group has at least one entry');
  return { placed, through: last.entry.id, shownTokens: placed.reduce((sum, one) => sum + one.shownTokens, 0) };
}
