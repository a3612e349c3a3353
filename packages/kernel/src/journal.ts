import { errors, EVENTS, isPalimpsestError, LOG, CLOCK, SESSION_ID, sessionToken } from '@palimpsest/contracts';
import type {
  Artifact,
  BranchReader,
  Clock,
  CompactionBody,
  Draft,
  Drafts,
  Entry,
  EntryId,
  Events,
  Journal,
  Log,
  SessionId,
  Shown,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { loadPath } from './branch/load.ts';
import { Path } from './branch/path.ts';
import { PathReader } from './branch/reader.ts';
import { completed, violationError, violations } from './branch/segments.ts';
import { frozenOnce } from './frozen.ts';
import { INPUT_ON_DISK, type InputOnDisk } from './input-on-disk.ts';
import { SESSION_LEASE, type SessionLease } from './session-lease.ts';

/** The session's log under its lease: keeps the fold of the current path and appends with leaf and fence. */
export class LeasedJournal implements Journal {
  private path = new Path();
  private holds = 0;
  private changing: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(SESSION_ID) readonly session: SessionId,
    @inject(LOG) private readonly log: Log,
    @inject(SESSION_LEASE) private readonly lease: SessionLease,
    @inject(EVENTS) private readonly events: Events,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(INPUT_ON_DISK) private readonly onDisk: InputOnDisk,
  ) {}

  get newestUserEntry(): EntryId | null {
    return this.path.marks.newestUser;
  }

  /** Landmarks of the path as it stands; read-only for everybody else. */
  get marks(): Readonly<Path['marks']> {
    return this.path.marks;
  }

  get shownTokens(): number {
    return this.path.shownTokens;
  }

  shown(): readonly Shown[] {
    return this.path.units;
  }

  openCalls(): ReturnType<Path['openCalls']> {
    return this.path.openCalls();
  }

  /** Re-entrant within one process; the last release gives the lease back. The path is checked against the log again. `fence`: of the lease. */
  async hold(): Promise<{ readonly fence: number; release(): Promise<void> }> {
    await this.inOrder(async () => {
      if (this.holds === 0) await this.take();
      this.holds += 1;
    });
    let released = false;
    return {
      fence: this.lease.fence ?? 0,
      release: async () => {
        if (released) return;
        released = true;
        await this.inOrder(async () => {
          this.holds -= 1;
          if (this.holds === 0) await this.giveBack();
        });
      },
    };
  }

  async append(drafts: readonly Draft[], artifacts: readonly Artifact[] = []): Promise<readonly Entry[]> {
    if (drafts.length === 0) return [];
    if (this.lease.isLost) throw errors.logFenceStale(this.session, this.lease.fence, -1);
    const ready = drafts.map((draft) => (draft.kind === 'compaction' && draft.hidden !== true ? this.snapshot(draft) : draft));
    const entries = await this.write(ready, artifacts);
    this.onDisk.wrote(entries);
    // Requests are rendered from the very objects that observers and callers get.
    for (const entry of entries) frozenOnce(entry);
    if (entries.some((entry) => entry.kind === 'undo')) this.path = await this.load(entries.at(-1)?.id ?? null);
    else for (const entry of entries) this.path.add(entry);
    for (const entry of entries) this.events.emit('entry.appended', { session: this.session, turn: entry.turn, entry });
    return entries;
  }

  branch(): BranchReader {
    return new PathReader(this.path, { log: this.log, session: this.session, pause: () => this.clock.pause() });
  }

  async preview(drafts: Drafts): Promise<{ readonly shownTokens: number }> {
    if (drafts.compaction !== undefined) this.check(drafts.compaction.segments, 'preview');
    const path = this.path.clone();
    path.suppose(drafts, path.marks.last?.id ?? ('' as EntryId));
    return { shownTokens: path.shownTokens };
  }

  /** Moves the leaf and folds the other path. */
  async moveTo(entry: EntryId | null): Promise<void> {
    await this.log.moveLeaf(this.session, entry, this.lease.fence);
    this.path = await this.load(entry);
  }

  /** The fold of any path of this session; `alsoLifted`: as if an undo had lifted these. */
  load(leaf: EntryId | null, alsoLifted: readonly EntryId[] = []): Promise<Path> {
    return loadPath({ log: this.log, session: this.session }, leaf, alsoLifted);
  }

  /**
   * Reads the path from the log again when somebody else has moved its leaf; `anyway`: also when nobody has. While the lease is held nobody
   * can, and an append that is under way would be read half.
   */
  async refresh(anyway = false): Promise<void> {
    await this.inOrder(async () => {
      if (this.holds === 0 || anyway) await this.reread(anyway);
    });
  }

  private async reread(anyway = false, known: { readonly leaf: EntryId | null } | null = null): Promise<void> {
    const { leaf } = known ?? (await this.leafInLog());
    if (anyway || leaf !== (this.path.marks.last?.id ?? null)) this.path = await this.load(leaf);
  }

  private async leafInLog(): Promise<{ readonly leaf: EntryId | null }> {
    return { leaf: (await this.log.session(this.session))?.leaf ?? null };
  }

  /** Taking the lease and giving it back wait for each other: two at once would take it twice, or give back what was just taken. */
  private inOrder(change: () => Promise<void>): Promise<void> {
    const next = this.changing.then(change, change);
    this.changing = next.catch(() => undefined);
    return next;
  }

  private async write(drafts: readonly Draft[], artifacts: readonly Artifact[]): Promise<readonly Entry[]> {
    const leaf = this.path.marks.last?.id ?? null;
    try {
      return await this.log.append({ session: this.session, leaf, fence: this.lease.fence, entries: drafts, artifacts });
    } catch (error) {
      if (isPalimpsestError(error, 'LOG_LEAF_MOVED')) await this.reread();
      throw error;
    }
  }

  private snapshot(draft: Draft<CompactionBody>): Draft {
    this.check(draft.segments, draft.by);
    const first = this.path.marks.first;
    return { ...draft, segments: completed(this.path.units, draft.segments), ...(first === null ? {} : { first }) };
  }

  private check(segments: CompactionBody['segments'], by: string): void {
    const broken = violations(this.path.units, segments, { whole: false, mustShow: this.path.marks.newestUser });
    if (broken.length > 0) throw violationError(by, broken);
  }

  private async take(): Promise<void> {
    const [{ alone }, seen] = await Promise.all([this.lease.take(), this.leafInLog().catch(() => null)]);
    try {
      // Both were asked at once, which is right where nobody held the lease since we did; else the leaf is asked for again.
      await this.reread(false, alone ? seen : null);
    } catch (error) {
      await this.lease.giveBack();
      throw error;
    }
  }

  private async giveBack(): Promise<void> {
    try {
      await this.onDisk.flush();
    } finally {
      await this.lease.giveBack();
    }
  }
}

export const KERNEL_JOURNAL = sessionToken<LeasedJournal>('kernel.leased-journal');
