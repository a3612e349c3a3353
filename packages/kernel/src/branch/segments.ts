/** Segments against units: completing, checking, covering. Pure. */
import { edgeOf, errors, isShownEntry } from '@palimpsest/contracts';
import type { EntryId, PalimpsestError, PlanViolation as Violation, Segment, Shown, ShownEntry } from '@palimpsest/contracts';
import { coveredUnit } from './units.ts';

/** The units of each segment, in order; units behind the last `through` come last, with null. One pass; a `through` that is no edge is passed over. */
export function bySegment(
  units: readonly Shown[],
  segments: readonly Segment[],
): readonly { readonly segment: Segment | null; readonly units: readonly Shown[] }[] {
  let from = 0;
  const parts = segments.map((segment) => {
    const at = positionFrom(units, from, segment.through);
    const part = { segment, units: units.slice(from, at + 1) };
    from = Math.max(from, at + 1);
    return part;
  });
  return from < units.length ? [...parts, { segment: null, units: units.slice(from) }] : parts;
}

/** -1: not there. */
function positionFrom(units: readonly Shown[], from: number, id: EntryId): number {
  const isIt = (unit: Shown | undefined): boolean => unit !== undefined && edgeOf(unit) === id;
  if (from < units.length && isIt(units.at(-1))) return units.length - 1;
  for (let at = from; at < units.length; at += 1) if (isIt(units[at])) return at;
  return -1;
}

/** What is wrong with these segments on this path, if anything. `whole`: the last one has to end at the leaf. */
export function violations(
  units: readonly Shown[],
  segments: readonly Segment[],
  rules: { readonly whole: boolean; readonly mustShow: EntryId | null },
): readonly Violation[] {
  const found: Violation[] = [];
  const ends: number[] = [];
  let last = -1;
  for (const { through } of segments) {
    const ahead = positionFrom(units, last + 1, through);
    const at = ahead >= 0 ? ahead : positionFrom(units, 0, through);
    if (at < 0) found.push({ rule: 'edge-unknown', problem: `a segment ends at ${through}, which is no edge of this path` });
    else if (at <= last) found.push({ rule: 'edge-order', problem: `the segment through ${through} does not come after the one before` });
    else if (cutsGroup(units, at)) found.push({ rule: 'pair-cut', problem: `the edge behind ${through} cuts a tool group` });
    ends.push(at);
    last = Math.max(last, at);
  }
  if (rules.whole && units.length > 0 && last !== units.length - 1)
    found.push({ rule: 'not-whole', problem: 'the last segment does not end at the leaf' });
  if (found.length === 0 && rules.mustShow !== null && !shows(units, { segments, ends }, rules.mustShow))
    found.push({ rule: 'newest-user-entry', problem: `the newest user input ${rules.mustShow} is not shown` });
  return found;
}

export function violationError(engine: string, broken: readonly Violation[]): PalimpsestError {
  return errors.enginePlanInvalid(engine, broken.map(({ rule }) => rule).join(', '), broken.map(({ problem }) => problem).join('; '));
}

function cutsGroup(units: readonly Shown[], at: number): boolean {
  const before = shownNear(units, at, -1);
  const next = before === null ? null : shownNear(units, at + 1, 1);
  return before !== null && next !== null && next.placed.group === before.placed.group;
}

/** The nearest shown entry from here on, in one direction. */
function shownNear(units: readonly Shown[], from: number, step: 1 | -1): ShownEntry | null {
  for (let at = from; at >= 0 && at < units.length; at += step) {
    const unit = units[at];
    if (unit !== undefined && isShownEntry(unit)) return unit;
  }
  return null;
}

/** @param ends where each segment ends, in order. Behind the last of them all is shown. */
function shows(
  units: readonly Shown[],
  { segments, ends }: { readonly segments: readonly Segment[]; readonly ends: readonly number[] },
  entry: EntryId,
): boolean {
  const at = units.findLastIndex((unit) => edgeOf(unit) === entry);
  const unit = units[at];
  const within = segments[ends.findIndex((end) => end >= at)];
  return unit !== undefined && isShownEntry(unit) && (within === undefined || within.show === 'entries');
}

/**
 * The same segments as a snapshot of all in force: where a stretch shows `entries`, the summaries and gaps already in force within it
 * are repeated, also behind the last `through`.
 */
export function completed(units: readonly Shown[], segments: readonly Segment[]): readonly Segment[] {
  const parts = bySegment(units, segments);
  return parts.flatMap(({ segment, units: inside }) => {
    if (segment !== null && segment.show !== 'entries') return [segment];
    const lastCovered = inside.findLastIndex((unit) => unit.kind !== 'entry');
    return spelled(segment === null ? inside.slice(0, lastCovered + 1) : inside);
  });
}

/** One segment per run of entries, one per covered unit. */
function spelled(units: readonly Shown[]): readonly Segment[] {
  const out: Segment[] = [];
  for (const unit of units) {
    if (unit.kind !== 'entry') out.push(unit.segment);
    else if (out.at(-1)?.show === 'entries') out[out.length - 1] = { through: edgeOf(unit), show: 'entries' };
    else out.push({ through: edgeOf(unit), show: 'entries' });
  }
  return out;
}

/** The units once these (completed) segments are in force by `by`. */
export function covered(units: readonly Shown[], segments: readonly Segment[], by: EntryId): readonly Shown[] {
  return bySegment(units, segments).flatMap(({ segment, units: inside }) =>
    segment === null || segment.show === 'entries' ? inside : [coveredUnit(segment, by)],
  );
}
