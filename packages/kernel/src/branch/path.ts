import { callsOf, edgeOf, isShownEntry, resultIdsOf, shownTokensOf, unanswered } from '@palimpsest/contracts';
import type { Call, CompactionBody, Drafts, Entry, EntryId, Placed, PromptBody, Segment, Shown, StepBody } from '@palimpsest/contracts';
import { completed, covered } from './segments.ts';
import { asks, isResult, opaqueTokensOf, placedReduced, placedWhole, placedWithoutOpaque } from './units.ts';

const epochKinds: ReadonlySet<Entry['kind']> = new Set(['compaction', 'reduction', 'undo', 'prompt', 'model-change', 'engine-change']);

/** What a path is remembered by, besides its units. */
export interface Landmarks {
  first: EntryId | null;
  last: Entry | null;
  compaction: Entry<CompactionBody> | null;
  prompt: Entry<PromptBody> | null;
  step: Entry<StepBody> | null;
  /** The newest step whose request went out: not one that was refused before. */
  sent: Entry<StepBody> | null;
  /** What the newest step ran on, or a newer change says; null: neither is on the path. */
  route: string | null;
  engine: string | null;
  newestUser: EntryId | null;
  /**
   * Tokens that the newest plan showed of the branch, where it left some of them out; null: none, or the branch was made smaller since. An
   * engine that selects does so the next time, too.
   */
  selected: number | null;
  /** The newest entry that breaks the prefix: it sets the epoch. */
  epoch: Entry | null;
  /** The newest compaction or reduction in force: what an undo lifts, last in first out. */
  liftable: EntryId | null;
}

/** The fold of one path, kept as entries arrive: what is shown now, and the landmarks. Owned by the journal; everybody else gets copies. */
export class Path {
  units: Shown[] = [];
  shownTokens = 0;
  readonly marks: Landmarks = {
    first: null,
    last: null,
    compaction: null,
    prompt: null,
    step: null,
    sent: null,
    route: null,
    engine: null,
    newestUser: null,
    selected: null,
    epoch: null,
    liftable: null,
  };
  private positions: Map<EntryId, number> | null = null;
  private openGroup: EntryId | null = null;
  /** Entries whose opaque parts are still sent. */
  private opaque: EntryId[] = [];

  static of(units: readonly Shown[], marks: Partial<Landmarks>): Path {
    const path = new Path();
    Object.assign(path.marks, marks);
    path.replace(units);
    path.openGroup = groupAtEnd(units);
    path.opaque = units.flatMap((unit) => (unit.kind === 'entry' && opaqueTokensOf(unit.placed.entry) > 0 ? [unit.placed.entry.id] : []));
    return path;
  }

  clone(): Path {
    const copy = Path.of(this.units, this.marks);
    copy.openGroup = this.openGroup;
    return copy;
  }

  unit(id: EntryId): Shown | null {
    return this.units[this.at(id)] ?? null;
  }

  /** Takes in the next entry of the path. An `undo` cannot be folded forward: the owner loads anew. */
  add(entry: Entry): void {
    if (entry.kind === 'reduction') for (const item of entry.items) this.reduce(item);
    if (entry.kind === 'compaction' && entry.hidden !== true) this.cover(entry.segments, entry);
    if (entry.kind === 'reduction' || (entry.kind === 'compaction' && entry.hidden !== true)) this.marks.liftable = entry.id;
    this.note(entry);
  }

  /** Takes in an entry without its effect: lifted, or already told by a newer one. */
  note(entry: Entry): void {
    this.push(entry);
    this.remember(entry);
  }

  /** In place: these drafts as if they were in force. */
  suppose(drafts: Drafts, by: EntryId): void {
    for (const item of drafts.reductions ?? []) this.reduce(item);
    if (drafts.compaction !== undefined) this.replace(covered(this.units, completed(this.units, drafts.compaction.segments), by));
    this.dropOpaque();
  }

  /** Calls of the newest asking message that nothing behind it answers. */
  openCalls(): { readonly entry: Entry; readonly calls: readonly Call[] } | null {
    const group = this.openGroup;
    const at = group === null ? -1 : this.at(group);
    const asking = this.units[at];
    if (asking?.kind !== 'entry' || asking.placed.entry.kind !== 'message') return null;
    const { entry } = asking.placed;
    const results = this.units
      .slice(at + 1)
      .flatMap((unit) => (unit.kind === 'entry' && unit.placed.entry.kind === 'message' ? resultIdsOf(unit.placed.entry.message) : []));
    const calls = unanswered(callsOf(entry.message), results);
    return calls.length === 0 ? null : { entry, calls };
  }

  /** Made when first asked for: most paths are only shown. -1: not here. */
  private at(id: EntryId): number {
    this.positions ??= new Map(this.units.map((unit, index) => [edgeOf(unit), index]));
    return this.positions.get(id) ?? -1;
  }

  private reduce(item: Parameters<typeof placedReduced>[1]): void {
    const at = this.at(item.entry);
    const unit = this.units[at];
    if (unit === undefined || !isShownEntry(unit)) return;
    this.replaceAt(at, placedReduced(unit.placed, item));
  }

  private replaceAt(at: number, placed: Placed): void {
    const before = this.units[at];
    this.shownTokens += placed.shownTokens - (before === undefined ? 0 : shownTokensOf(before));
    this.units[at] = { kind: 'entry', placed };
  }

  /** Their prefix is gone: on no later request are they sent again. */
  private dropOpaque(): void {
    for (const id of this.opaque) {
      const at = this.at(id);
      const unit = this.units[at];
      if (unit?.kind === 'entry') this.replaceAt(at, placedWithoutOpaque(unit.placed));
    }
    this.opaque = [];
  }

  private cover(segments: readonly Segment[], by: Entry<CompactionBody>): void {
    this.replace(covered(this.units, segments, by.id));
    this.marks.compaction = by;
  }

  private push(entry: Entry): void {
    const group = isResult(entry) && this.openGroup !== null ? this.openGroup : entry.id;
    const unit: Shown = { kind: 'entry', placed: placedWhole(entry, group) };
    if (asks(entry)) this.openGroup = entry.id;
    else if (isShownEntry(unit) && !isResult(entry)) this.openGroup = null;
    this.positions?.set(entry.id, this.units.length);
    this.units.push(unit);
    this.shownTokens += unit.placed.shownTokens;
    if (opaqueTokensOf(entry) > 0) this.opaque.push(entry.id);
  }

  private remember(entry: Entry): void {
    this.marks.first ??= entry.id;
    this.marks.last = entry;
    if (epochKinds.has(entry.kind) && !(entry.kind === 'compaction' && entry.hidden === true)) {
      this.marks.epoch = entry;
      this.marks.selected = null;
      this.dropOpaque();
    }
    Object.assign(this.marks, setBy(entry));
    if (entry.kind === 'prompt') this.marks.prompt = entry;
    if (entry.kind === 'step') this.marks.step = entry;
    if (wasSent(entry)) this.marks.sent = entry;
    if (wasSent(entry)) this.marks.selected = this.selectedBy(entry);
    if (entry.kind === 'message' && entry.origin === 'user_input' && entry.hidden !== true) this.marks.newestUser = entry.id;
  }

  /** A request that a hook has changed says nothing of the plan; one that none has changed holds nothing of what hooks were expected to add. */
  private selectedBy({ judgement, budget, patch }: StepBody): number | null {
    const planned = Math.max(0, judgement.tokens - (budget.fixed.total - budget.fixed.hooks));
    return patch === null && planned < this.shownTokens ? planned : null;
  }

  private replace(units: readonly Shown[]): void {
    this.units = [...units];
    this.positions = null;
    this.shownTokens = this.units.reduce((sum, unit) => sum + shownTokensOf(unit), 0);
  }
}

/** What an entry says of the model and the engine in force. A change that was imported names them in words of another tool. */
export function setBy(entry: Entry): Partial<Pick<Landmarks, 'route' | 'engine'>> {
  if (entry.kind === 'step') return { route: entry.route, engine: entry.chosen ?? entry.engine };
  if (entry.kind === 'model-change' && entry.reason !== 'imported') return { route: entry.model };
  return entry.kind === 'engine-change' ? { engine: entry.to } : {};
}

/** A step whose request went out. */
export function wasSent(entry: Entry): entry is Entry<StepBody> {
  return entry.kind === 'step' && entry.outcome.kind !== 'refused';
}

/** The message that asked, when the path ends in its group: results that come behind belong to it. */
function groupAtEnd(units: readonly Shown[]): EntryId | null {
  const last = units.findLast(isShownEntry)?.placed;
  if (last === undefined) return null;
  return asks(last.entry) || isResult(last.entry) ? last.group : null;
}
