import { edgeOf } from '@palimpsest/contracts';
import type { BranchReader, CompactionBody, Entry, EntryId, Log, Placed, SessionId, Shown } from '@palimpsest/contracts';
import { frozenOnce } from '../frozen.ts';
import type { Path } from './path.ts';
import { placedCovered } from './units.ts';
import { walkGrouped, type Stretch } from './walk.ts';

type Covered = Exclude<Shown, { kind: 'entry' }>;

/** Where a reader reads what is not in memory. `pause` lets others run: it is awaited after so many entries that were. */
export interface ReaderSource {
  readonly log: Log;
  readonly session: SessionId;
  readonly pause: () => Promise<void>;
}

/** A few milliseconds of an engine's work. */
const STRETCH = 512;

/**
 * A snapshot of a path. Shown entries come from memory, covered ones are read from the log page by page. It is handed to code of others:
 * nothing of it can be reached but what the contract names, and nothing that it gives can be written to.
 */
export class PathReader implements BranchReader {
  readonly first: EntryId;
  readonly last: EntryId;
  readonly shownTokens: number;
  readonly compaction: Entry<CompactionBody> | null;
  readonly #units: readonly Shown[];
  readonly #source: ReaderSource;

  /** @param path not empty; copied. */
  constructor(path: Path, source: ReaderSource) {
    const last = path.marks.last;
    if (last === null) throw new Error('a reader needs a path that is not empty');
    this.#units = [...path.units];
    this.first = path.marks.first ?? last.id;
    this.last = last.id;
    this.shownTokens = path.shownTokens;
    this.compaction = path.marks.compaction === null ? null : frozenOnce(path.marks.compaction);
    this.#source = source;
    Object.freeze(this);
  }

  async *newestFirst(from: EntryId = this.last): AsyncGenerator<Placed> {
    const at = this.#units.findIndex((unit) => edgeOf(unit) === from);
    let open = at >= 0;
    for (let index = open ? at : this.#units.length - 1; index >= 0; index -= 1) {
      if (index % STRETCH === 0) await this.#source.pause();
      for await (const placed of this.#unitNewestFirst(index)) {
        open ||= placed.entry.id === from;
        if (open) yield placed;
      }
    }
  }

  async *oldestFirst(after: EntryId | null): AsyncGenerator<Placed> {
    let open = after === null;
    const at = after === null ? -1 : this.#units.findIndex((unit) => edgeOf(unit) === after);
    open ||= at >= 0;
    for (let index = at + 1; index < this.#units.length; index += 1) {
      if (index % STRETCH === STRETCH - 1) await this.#source.pause();
      for await (const placed of this.#unitOldestFirst(index)) {
        if (open) yield placed;
        open ||= placed.entry.id === after;
      }
    }
  }

  async get(id: EntryId): Promise<Placed | null> {
    const unit = this.#units.find((one) => one.kind === 'entry' && one.placed.entry.id === id);
    if (unit?.kind === 'entry') return frozenOnce(unit.placed);
    const [entry] = await this.#source.log.get(this.#source.session, [id]);
    if (entry === undefined) return null;
    for (let index = 0; index < this.#units.length; index += 1) {
      if (this.#units[index]?.kind === 'entry') continue;
      for await (const placed of this.#unitNewestFirst(index)) {
        if (placed.entry.id === id) return placed;
        if (placed.entry.depth < entry.depth) break;
      }
    }
    return null;
  }

  async *#unitNewestFirst(index: number): AsyncGenerator<Placed> {
    const unit = this.#units[index];
    if (unit === undefined) return;
    if (unit.kind === 'entry') yield frozenOnce(unit.placed);
    else
      for await (const { entry, group } of walkGrouped(this.#source.log, this.#stretch(unit, index)))
        yield frozenOnce(placedCovered(entry, group, unit.by, unit.segment));
  }

  /** A covered stretch backwards, in pieces: memory is bounded by one piece and the ids between them. */
  async *#unitOldestFirst(index: number): AsyncGenerator<Placed> {
    const unit = this.#units[index];
    if (unit === undefined) return;
    if (unit.kind === 'entry') {
      yield frozenOnce(unit.placed);
      return;
    }
    for (const piece of (await this.#pieces(this.#stretch(unit, index))).reverse()) {
      const held: Placed[] = [];
      for await (const { entry, group } of walkGrouped(this.#source.log, piece))
        held.push(frozenOnce(placedCovered(entry, group, unit.by, unit.segment)));
      yield* held.reverse();
    }
  }

  /** Cuts a stretch at about every 500 entries, never inside a tool group. Newest piece first. */
  async #pieces(stretch: Stretch): Promise<Stretch[]> {
    const edges: EntryId[] = [stretch.leaf];
    let size = 0;
    let group: EntryId | null = null;
    for await (const { entry, group: its } of walkGrouped(this.#source.log, stretch)) {
      if (size >= 500 && its !== group) {
        edges.push(entry.id);
        size = 0;
      }
      size += 1;
      group = its;
    }
    return edges.map((leaf, at) => ({ session: stretch.session, leaf, until: edges[at + 1] ?? stretch.until }));
  }

  #stretch(unit: Covered, index: number): Stretch {
    const previous = this.#units[index - 1];
    return { session: this.#source.session, leaf: unit.through, until: previous === undefined ? null : edgeOf(previous) };
  }
}
