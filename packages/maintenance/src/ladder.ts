import { JOURNAL, MAINTENANCE_SETTINGS, markAt, VIEWS } from '@palimpsest/contracts';
import type { Climb, Climbed, Declined, Drafts, Journal, Ladder, MaintenanceSettings, Mark, Views } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { COMPACT_RUNG, type CompactRung } from './compact-rung.ts';
import { DRAFTING, type Drafting } from './drafting.ts';
import { ceilingTokens, goalTokens, headroomOf, isHard, requestTokens, type Headroom } from './headroom.ts';
import { LEDGER, type Ledger, type Written } from './ledger.ts';
import { minimumGain, planReductions } from './reductions.ts';
import { canFit, planTrim } from './trim.ts';
import type { Trim, TrimAsk } from './trimming.ts';

/** One climb, while it lasts. */
interface Ascent {
  readonly climb: Climb;
  readonly headroom: Headroom;
  changed: boolean;
  readonly declined: Declined[];
}

/**
 * Reduce, compact, trim: each rung is one append, made only for a strict gain by the host's metric, and the climb ends at the first
 * rung that brings the whole request below `low`. The verdict of the fifth rung is the kernel's: what is still over is exhausted.
 */
export class RungLadder implements Ladder {
  private readonly journal: Journal;
  private readonly views: Views;
  private readonly settings: MaintenanceSettings;
  private readonly ledger: Ledger;
  private readonly compaction: CompactRung;
  private readonly drafting: Drafting;

  constructor(
    @inject(JOURNAL) journal: Journal,
    @inject(VIEWS) views: Views,
    @inject(MAINTENANCE_SETTINGS) settings: MaintenanceSettings,
    @inject(LEDGER) ledger: Ledger,
    @inject(COMPACT_RUNG) compaction: CompactRung,
    @inject(DRAFTING) drafting: Drafting,
  ) {
    this.journal = journal;
    this.views = views;
    this.settings = settings;
    this.ledger = ledger;
    this.compaction = compaction;
    this.drafting = drafting;
  }

  /** @throws LOG_*, STORE_* when an append fails; never for an engine's, a hook's or a model's fault. */
  async climb(climb: Climb): Promise<Climbed> {
    if (!this.settings.enabled && climb.trigger !== 'manual')
      return { changed: false, declined: [{ what: 'maintenance', why: 'it is switched off' }] };
    if (isSoft(climb) && undoneSinceInput(this.journal))
      return { changed: false, declined: [{ what: 'maintenance', why: 'an undo stands until the next user input' }] };
    const headroom = headroomOf(this.views.budget(climb.turn), climb.judged, this.ledger.shownTokens());
    const ascent: Ascent = { climb, headroom, changed: false, declined: [] };
    this.ledger.begin(climb);
    if (this.isHopeless(ascent)) {
      const declined = hopeless(headroom);
      this.ledger.refuse(climb, 'host', declined);
      return { changed: false, declined: [declined] };
    }
    if (climb.trigger !== 'prepare') await this.reduce(ascent);
    if (this.wantsCompaction(ascent)) await this.compact(ascent);
    if (this.wantsTrim(ascent)) await this.trim(ascent);
    return { changed: ascent.changed, declined: ascent.declined };
  }

  /** What is over and stays over, whatever is left out, is left as it is: no rung helps, and each costs the model what it knows. */
  private isHopeless({ climb, headroom }: Ascent): boolean {
    if (climb.trigger === 'manual' || climb.judged.mark !== 'over') return false;
    return !canFit(this.trimAsk(headroom), this.drafting.measure);
  }

  private trimAsk(headroom: Headroom): TrimAsk {
    return {
      shown: this.journal.shown(),
      budget: headroom.budget,
      newestUserEntry: this.journal.newestUserEntry,
      goalTokens: goalTokens(headroom),
      ceilingTokens: ceilingTokens(headroom),
    };
  }

  private async reduce(ascent: Ascent): Promise<void> {
    const { reducer } = this.compaction;
    if (reducer !== null) return note(ascent, [{ changed: false, declined: { what: 'reduce', why: `left to engine ${reducer}` } }]);
    const { budget } = ascent.headroom;
    const shownTokens = this.ledger.shownTokens();
    const reductions = planReductions(
      {
        shown: this.journal.shown(),
        budget,
        newestUserEntry: this.journal.newestUserEntry,
        shownTokens,
        goalTokens: goalTokens(ascent.headroom),
      },
      this.drafting.measure,
    );
    if (reductions.length === 0)
      return note(ascent, [{ changed: false, declined: { what: 'reduce', why: 'no old, repeated or superseded result is left' } }]);
    const least = minimumGain(budget, requestTokens(ascent.headroom, shownTokens));
    note(ascent, [await this.ledger.commit(ascent.climb, { by: 'host', what: 'reduce', drafts: { reductions }, minimumGain: least })]);
  }

  /** A command asks for a compaction, whatever reducing has freed. */
  private wantsCompaction({ climb, headroom }: Ascent): boolean {
    return !climb.signal.aborted && (climb.trigger === 'manual' || climb.trigger === 'prepare' || !this.isBelowLow(headroom));
  }

  private async compact(ascent: Ascent): Promise<void> {
    const { climb, headroom } = ascent;
    const goal = goalTokens(headroom);
    const manualGoal = Math.min(goal, Math.floor(this.ledger.shownTokens() / 2));
    const soft = climb.trigger !== 'manual' && climb.trigger !== 'overflow' && !isHard(this.mark(ascent));
    note(
      ascent,
      await this.compaction.run({
        climb,
        headroom,
        goalTokens: climb.trigger === 'manual' ? manualGoal : goal,
        keepRecent: this.settings.keepRecentTokens,
        soft,
      }),
    );
  }

  private wantsTrim(ascent: Ascent): boolean {
    const { climb, headroom } = ascent;
    if (climb.signal.aborted || climb.trigger === 'prepare' || this.isBelowLow(headroom)) return false;
    return climb.trigger === 'overflow' || isHard(this.mark(ascent));
  }

  /** No guard stands here: nothing may go over. */
  private async trim(ascent: Ascent): Promise<void> {
    const { climb, headroom } = ascent;
    const trim = await this.planned(this.trimAsk(headroom));
    if (trim.segments === null && trim.items.length === 0)
      return note(ascent, [this.ledger.refuse(climb, 'host', { what: 'trim', why: 'nothing that may go is left' })]);
    const guards = this.ledger.guards();
    note(ascent, [await this.ledger.commit(climb, { by: 'host', what: 'trim', drafts: draftsOf(trim), minimumGain: 1 })]);
    await this.ledger.keep(climb, guards); // the trim may have covered the entry that held them
  }

  /** The journal's figure counts: where the plan was too hopeful, it is made again for less. */
  private async planned(ask: TrimAsk): Promise<Trim> {
    const first = planTrim(ask, this.drafting.measure);
    const { shownTokens } = await this.journal.preview(draftsOf(first));
    const drift = shownTokens - first.tokens;
    if (shownTokens <= ask.ceilingTokens || drift <= 0) return first;
    return planTrim(
      { ...ask, goalTokens: Math.max(0, ask.goalTokens - drift), ceilingTokens: Math.max(0, ask.ceilingTokens - drift) },
      this.drafting.measure,
    );
  }

  private isBelowLow(headroom: Headroom): boolean {
    return this.ledger.shownTokens() <= goalTokens(headroom);
  }

  /** As judged, until a rung has changed the branch. */
  private mark({ climb, headroom, changed }: Ascent): Mark {
    return changed ? markAt(requestTokens(headroom, this.ledger.shownTokens()), headroom.budget) : climb.judged.mark;
  }
}

function hopeless({ budget }: Headroom): { readonly what: string; readonly why: string } {
  return {
    what: 'maintenance',
    why: `fixed costs of ${String(budget.fixed.total)} tokens leave too little of ${String(budget.effective)}, whatever is left out`,
  };
}

/** Neither a command nor a need: it can wait. */
function isSoft({ trigger, judged }: Climb): boolean {
  return trigger !== 'manual' && trigger !== 'overflow' && !isHard(judged.mark);
}

/** What an operator has just lifted is not done again before there is something new. */
function undoneSinceInput(journal: Journal): boolean {
  const bundles = journal.shown();
  const undo = bundles.findLastIndex((bundle) => bundle.kind === 'entry' && bundle.placed.entry.kind === 'undo');
  return undo >= 0 && !bundles.slice(undo).some((bundle) => bundle.kind === 'entry' && bundle.placed.entry.id === journal.newestUserEntry);
}

function note(ascent: Ascent, written: readonly Written[]): void {
  for (const one of written) {
    if (one.changed) ascent.changed = true;
    else ascent.declined.push(one.declined);
  }
}

function draftsOf({ segments, items }: Trim): Drafts {
  return {
    ...(segments === null ? {} : { compaction: { segments, short: 'The oldest part was left out to fit the context window.' } }),
    ...(items.length === 0 ? {} : { reductions: items }),
  };
}
