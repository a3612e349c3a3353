import type { BranchReader, EntryId, NothingSegment, Placed, SummarySegment } from '@palimpsest/contracts';

/**
 * Entries between which no edge of a plan may lie: a tool call with its results and whatever stands between them, a stretch that one
 * logged summary or gap covers (silent entries behind it included), or one other entry. An edge may follow `through`.
 */
export interface Group {
  readonly placed: readonly Placed[];
  /** The last entry of the group. */
  readonly through: EntryId;
  /** What the group costs now, its summary included. */
  readonly shownTokens: number;
  /** What the compaction in force shows of it, up to and including `through`; null: entries, in their current shape. */
  readonly covered: SummarySegment | NothingSegment | null;
}

/**
 * The groups after `after` (null: from the root), oldest first; together they hold every entry once. `after` has to be an edge itself,
 * such as the last entry that a compaction covers. Reads the stretch twice, because only its newer part tells where a group ends;
 * keeps one group in memory, and one id for each that has more than one entry.
 */
export async function* groupsOldestFirst(branch: BranchReader, after: EntryId | null): AsyncGenerator<Group, void, void> {
  let covered: readonly Placed[] = [];
  for await (const placed of tiedOldestFirst(branch, after)) {
    if (goesOn(covered, placed)) {
      covered = [...covered, ...placed];
      continue;
    }
    if (covered.length > 0) yield group(covered, branch);
    covered = placed.some(({ shape }) => shape.kind === 'covered') ? placed : [];
    if (covered.length === 0) yield group(placed, branch);
  }
  if (covered.length > 0) yield group(covered, branch);
}

/** Silent entries behind a covered stretch go with it, and so do the entries of one gap: nothing else ties those together. */
function goesOn(covered: readonly Placed[], next: readonly Placed[]): boolean {
  const gap = gapOf(covered.at(-1));
  return (
    covered.length > 0 &&
    (next.every(({ shape }) => shape.kind === 'silent') || (gap !== null && next.every((placed) => gapOf(placed) === gap)))
  );
}

/** The compaction that shows nothing here; null: there is none. */
function gapOf(placed: Placed | undefined): EntryId | null {
  return placed?.shape.kind === 'covered' && placed.shape.segment === null ? placed.shape.by : null;
}

async function* tiedOldestFirst(branch: BranchReader, after: EntryId | null): AsyncGenerator<readonly Placed[], void, void> {
  const ends = await endsOf(branch, after);
  let placed: Placed[] = [];
  const open = new Set<string>();
  for await (const one of branch.oldestFirst(after)) {
    placed.push(one);
    for (const tie of tiesOf(one)) {
      if (ends.get(tie) === one.entry.id) open.delete(tie);
      else if (ends.has(tie)) open.add(tie);
    }
    if (open.size > 0) continue;
    yield placed;
    placed = [];
  }
  if (placed.length > 0) yield placed;
}

/** What holds an entry together with others: its tool group, and the summary that covers it. */
function tiesOf({ group: name, shape }: Placed): readonly string[] {
  const isSummed = shape.kind === 'covered' && shape.segment !== null;
  return isSummed ? [`group ${name}`, `cover ${shape.by} ${shape.segment.through}`] : [`group ${name}`];
}

/** The last entry of every tie that holds more than one. */
async function endsOf(branch: BranchReader, after: EntryId | null): Promise<ReadonlyMap<string, EntryId>> {
  const ends = new Map<string, EntryId>();
  for await (const placed of branch.newestFirst()) {
    if (placed.entry.id === after) break;
    for (const tie of tiesOf(placed)) if (!ends.has(tie) && tie !== `group ${placed.entry.id}`) ends.set(tie, placed.entry.id);
  }
  return ends;
}

function group(placed: readonly Placed[], branch: BranchReader): Group {
  const last = placed[placed.length - 1];
  if (last === undefined) throw new RangeError('A group has at least one entry');
  const covered = coverOf(placed, branch);
  const entries = placed.reduce((sum, one) => sum + one.shownTokens, 0);
  return { placed, through: last.entry.id, shownTokens: entries + (covered?.show === 'summary' ? covered.tokens : 0), covered };
}

function coverOf(placed: readonly Placed[], branch: BranchReader): Group['covered'] {
  const through = placed.at(-1)?.entry.id;
  const covered = placed.find(({ shape }) => shape.kind === 'covered');
  if (through === undefined || covered?.shape.kind !== 'covered') return null;
  return { ...(covered.shape.segment ?? gapAt(placed, branch)), through };
}

/** What the compaction in force says of a stretch that shows nothing. */
function gapAt(placed: readonly Placed[], { compaction }: BranchReader): Omit<NothingSegment, 'through'> {
  const inside = new Set(placed.map(({ entry }) => entry.id));
  const gap = compaction?.segments.find(({ show, through }) => show === 'nothing' && inside.has(through));
  return gap?.show === 'nothing' ? gap : { show: 'nothing', reason: 'left out earlier', reach: null };
}
