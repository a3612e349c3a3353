import type { CompactionBody, Entry, EntryId, Log, ReductionBody, Segment, SessionId, Shown } from '@palimpsest/contracts';
import { Path, setBy, wasSent } from './path.ts';
import { coveredUnit, placedWhole } from './units.ts';
import { walk, walkGrouped } from './walk.ts';

interface Place {
  readonly log: Log;
  readonly session: SessionId;
}

/** Folds the path that ends in `leaf`. Reads what is shown, and the bookkeeping since the newest active compaction: never the whole log once there is one. `alsoLifted`: what an undo would lift. */
export async function loadPath(place: Place, leaf: EntryId | null, alsoLifted: readonly EntryId[] = []): Promise<Path> {
  if (leaf === null) return new Path();
  const lifted = new Set<EntryId>(alsoLifted);
  const tail: Entry[] = [];
  let active: Entry<CompactionBody> | null = null;
  for await (const entry of walk(place.log, { session: place.session, leaf, until: null })) {
    if (active !== null && entry.id === active.segments.at(-1)?.through) break;
    if (entry.kind === 'undo') lifted.add(entry.lifts);
    if (active === null && inForce(entry, lifted)) active = entry;
    tail.push(entry);
  }
  tail.reverse();
  return active === null ? folded(new Path(), tail, lifted, null) : folded(await prefix(place, active, lifted), tail, lifted, active);
}

function inForce(entry: Entry, lifted: ReadonlySet<EntryId>): entry is Entry<CompactionBody> {
  return entry.kind === 'compaction' && entry.hidden !== true && entry.segments.length > 0 && !lifted.has(entry.id);
}

/** Everything up to the compaction's last `through`: covered stretches unread, shown ones loaded with the reductions in force on them. */
async function prefix(place: Place, active: Entry<CompactionBody>, lifted: ReadonlySet<EntryId>): Promise<Path> {
  const units: Shown[] = [];
  let until: EntryId | null = null;
  for (const segment of active.segments) {
    units.push(...(segment.show === 'entries' ? await shownStretch(place, segment, until) : [coveredUnit(segment, active.id)]));
    until = segment.through;
  }
  const path = Path.of(units, { first: active.first ?? null, compaction: active });
  for (const entry of await oldReductions(place, active, lifted)) path.suppose({ reductions: entry.items }, active.id);
  path.marks.newestUser = newestUserOf(units);
  await findBookkeeping(path, place, active);
  return path;
}

/** The prompt, the steps, and what was set before them may stand in a covered stretch; the tail overrides them when it has newer ones. */
async function findBookkeeping(path: Path, place: Place, active: Entry<CompactionBody>): Promise<void> {
  const leaf = active.segments.at(-1)?.through;
  if (leaf === undefined) return;
  for await (const entry of walk(place.log, { session: place.session, leaf, until: null }, [
    'prompt',
    'step',
    'model-change',
    'engine-change',
  ])) {
    if (entry.kind === 'prompt') path.marks.prompt ??= entry;
    if (entry.kind === 'step') path.marks.step ??= entry;
    if (wasSent(entry)) path.marks.sent ??= entry;
    const { route = null, engine = null } = setBy(entry);
    path.marks.route ??= route;
    path.marks.engine ??= engine;
    if (path.marks.prompt !== null && path.marks.sent !== null) return;
  }
}

async function shownStretch(place: Place, segment: Segment, until: EntryId | null): Promise<readonly Shown[]> {
  const units: Shown[] = [];
  for await (const { entry, group } of walkGrouped(place.log, { session: place.session, leaf: segment.through, until }))
    units.push({ kind: 'entry', placed: placedWhole(entry, group) });
  return units.reverse();
}

/** Reductions before the last `through` matter only for entries shown among covered ones; what was lifted there stays lifted. */
async function oldReductions(
  place: Place,
  active: Entry<CompactionBody>,
  lifted: ReadonlySet<EntryId>,
): Promise<readonly Entry<ReductionBody>[]> {
  const last = active.segments.at(-1);
  if (last === undefined || !active.segments.some((segment) => segment.show === 'entries')) return [];
  const gone = new Set(lifted);
  const found: Entry<ReductionBody>[] = [];
  for await (const entry of walk(place.log, { session: place.session, leaf: last.through, until: null }, ['reduction', 'undo'])) {
    if (entry.kind === 'undo') gone.add(entry.lifts);
    if (entry.kind === 'reduction' && !gone.has(entry.id)) found.push(entry);
  }
  return found.reverse();
}

function newestUserOf(units: readonly Shown[]): EntryId | null {
  const unit = units.findLast(
    (one) =>
      one.kind === 'entry' &&
      one.placed.entry.kind === 'message' &&
      one.placed.entry.origin === 'user_input' &&
      one.placed.shape.kind !== 'silent',
  );
  return unit?.kind === 'entry' ? unit.placed.entry.id : null;
}

/**
 * Lifted entries still stand in the path, without effect. Older compactions and an active one's own place are bookkeeping here: the
 * prefix already shows what the active one says.
 */
function folded(path: Path, tail: readonly Entry[], lifted: ReadonlySet<EntryId>, active: Entry<CompactionBody> | null): Path {
  for (const entry of tail) {
    const inert = entry.kind === 'compaction' || (entry.kind === 'reduction' && lifted.has(entry.id));
    if (inert) path.note(entry);
    else path.add(entry);
    if (entry === active) path.marks.liftable = entry.id;
  }
  if (active !== null) path.marks.compaction = active;
  return path;
}
