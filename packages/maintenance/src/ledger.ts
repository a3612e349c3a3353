import { EVENTS, JOURNAL, sessionToken, shownTokensOf } from '@palimpsest/contracts';
import type {
  Climb,
  CompactionBody,
  CompactionDraft,
  Declined,
  Draft,
  Drafts,
  Events,
  In,
  Journal,
  ReductionBody,
  ReductionItem,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { DRAFTING, type Drafting } from './drafting.ts';
import { guardsBody, guardsOn, isSameState } from './guard-entries.ts';
import type { GuardState } from './guards.ts';

/** What one rung wants to write. */
export interface Proposal {
  /** `host`, or the engine's name. */
  readonly by: string;
  readonly what: string;
  readonly drafts: Drafts;
  /** Least gain in tokens, at least 1: nothing is written for no gain. */
  readonly minimumGain: number;
}
export type Written = { readonly changed: true } | { readonly changed: false; readonly declined: Declined };

/** Measures what a rung proposes and writes it whole, or says why not. */
export interface Ledger {
  /** Announces that the ladder is climbed. */
  begin(climb: Climb): void;
  /** One append, or none. @throws ENGINE_PLAN_INVALID from the journal's preview; LOG_*. */
  commit(climb: Climb, proposal: Proposal): Promise<Written>;
  refuse(climb: Climb, by: string, declined: Declined): Written;
  defer(climb: Climb, guard: string, until: string): Written;
  /** Shown tokens of the branch, now. */
  shownTokens(): number;
  /** What the guards remember, as the path has it. */
  guards(): GuardState;
  /** Writes it down where the path says something else. */
  keep(climb: Climb, state: GuardState): Promise<void>;
}

interface Made {
  readonly entries: readonly Draft<CompactionBody | ReductionBody>[];
  readonly before: number;
  readonly between: number;
  readonly after: number;
}

export class JournalLedger implements Ledger {
  private readonly journal: Journal;
  private readonly events: Events;
  private readonly drafting: Drafting;

  constructor(@inject(JOURNAL) journal: Journal, @inject(EVENTS) events: Events, @inject(DRAFTING) drafting: Drafting) {
    this.journal = journal;
    this.events = events;
    this.drafting = drafting;
  }

  begin(climb: Climb): void {
    this.events.emit('maintenance.started', { ...this.placeOf(climb), trigger: climb.trigger });
  }

  async commit(climb: Climb, proposal: Proposal): Promise<Written> {
    const before = this.shownTokens();
    const { shownTokens: after } = await this.journal.preview(proposal.drafts);
    const least = Math.max(1, proposal.minimumGain);
    if (before - after < least) {
      return this.refuse(climb, proposal.by, {
        what: proposal.what,
        why: `it would free ${String(before - after)} tokens, and at least ${String(least)} are asked for`,
      });
    }
    const made = await this.entriesOf(climb, proposal, before, after);
    await this.journal.append(made.entries, proposal.drafts.artifacts ?? []);
    this.announce(climb, made);
    return { changed: true };
  }

  refuse(climb: Climb, by: string, declined: Declined): Written {
    this.events.emit('compaction.refused', {
      ...this.placeOf(climb),
      trigger: climb.trigger,
      by,
      why: `${declined.what}: ${declined.why}`,
    });
    return { changed: false, declined };
  }

  defer(climb: Climb, guard: string, until: string): Written {
    this.events.emit('compaction.deferred', { ...this.placeOf(climb), trigger: climb.trigger, guard, until });
    return { changed: false, declined: { what: 'compact', why: `deferred by ${guard} until ${until}` } };
  }

  shownTokens(): number {
    return this.journal.shown().reduce((sum, block) => sum + shownTokensOf(block), 0);
  }

  guards(): GuardState {
    return guardsOn(this.journal.shown());
  }

  async keep(climb: Climb, state: GuardState): Promise<void> {
    if (!isSameState(this.guards(), state)) await this.journal.append([this.drafting.draft(guardsBody(state), climb.turn?.id ?? null)]);
  }

  /** Reductions first: an undo lifts the compaction alone before them. */
  private async entriesOf(climb: Climb, { by, drafts }: Proposal, before: number, after: number): Promise<Made> {
    const turn = climb.turn?.id ?? null;
    const { trigger } = climb;
    const items = drafts.reductions ?? [];
    const between =
      items.length === 0
        ? before
        : drafts.compaction === undefined
          ? after
          : (await this.journal.preview({ reductions: items })).shownTokens;
    const reduction = reductionOf({ by, trigger }, items, before, between);
    const compaction = compactionOf({ by, trigger }, drafts.compaction, between, after);
    return { entries: [...reduction, ...compaction].map((body) => this.drafting.draft(body, turn)), before, between, after };
  }

  private announce(climb: Climb, { entries, before, between, after }: Made): void {
    const at = { ...this.placeOf(climb), trigger: climb.trigger };
    for (const entry of entries) {
      if (entry.kind === 'reduction')
        this.events.emit('reduction.completed', { ...at, entry: entry.id, items: entry.items.length, before, after: between });
      else this.events.emit('compaction.completed', { ...at, by: entry.by, entry: entry.id, before: between, after });
    }
  }

  private placeOf(climb: Climb): In {
    return { session: this.journal.session, turn: climb.turn?.id ?? null };
  }
}

/** Only these: a draft comes from foreign code and may hold more. */
function fieldsOf({ segments, short, state, details }: CompactionDraft): CompactionDraft {
  return {
    segments,
    ...(short === undefined ? {} : { short }),
    ...(state === undefined ? {} : { state }),
    ...(details === undefined ? {} : { details }),
  };
}

type Cause = Pick<CompactionBody, 'by' | 'trigger'>;

function reductionOf(cause: Cause, items: readonly ReductionItem[], tokensBefore: number, tokensAfter: number): readonly ReductionBody[] {
  return items.length === 0 ? [] : [{ kind: 'reduction', ...cause, items, tokensBefore, tokensAfter }];
}

function compactionOf(
  cause: Cause,
  draft: CompactionDraft | undefined,
  tokensBefore: number,
  tokensAfter: number,
): readonly CompactionBody[] {
  return draft === undefined ? [] : [{ ...fieldsOf(draft), ...cause, kind: 'compaction', tokensBefore, tokensAfter }];
}

export const LEDGER = sessionToken<Ledger>('maintenance.ledger');
