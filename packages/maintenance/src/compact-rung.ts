import { ARTIFACTS, GUARDED_ENGINE, HOOKS, isPalimpsestError, JOURNAL, messageOf, sessionToken } from '@palimpsest/contracts';
import type { Artifacts, Climb, CompactOutcome, Drafts, GuardedEngine, Hooks, Journal } from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { DRAFTING, type Drafting } from './drafting.ts';
import { admit, afterCompaction, afterFailure, RESTED, type Ended, type GuardState } from './guards.ts';
import { requestTokens, type Headroom } from './headroom.ts';
import { LEDGER, type Ledger, type Written } from './ledger.ts';
import { untouchable } from './protection.ts';
import { recounted } from './recount.ts';

export interface CompactAsk {
  readonly climb: Climb;
  readonly headroom: Headroom;
  /** Shown tokens to get down to. */
  readonly goalTokens: number;
  /** Tokens of the newest part to keep whole, before hooks are asked; null: the engine's own setting. */
  readonly keepRecent: number | null;
  /** Hooks may defer it. */
  readonly soft: boolean;
}

/** Rung 3: the engine proposes, the guards and the host's metric decide. */
export interface CompactRung {
  /** The engine that does rung 1 itself (`owns: [reduce]`); null: the host does. */
  readonly reducer: string | null;
  /** Never throws for the engine's or a hook's sake. @throws LOG_*, when the append itself fails. */
  run(ask: CompactAsk): Promise<readonly Written[]>;
}

type Wish = { readonly keepRecent: number | null; readonly deferredBy: string | null; readonly faults: readonly Written[] };

/** What failed and what was weak is remembered in the log, so that another process knows it, too. */
export class EngineCompactRung implements CompactRung {
  /** Of the climb that is going on. */
  private guards: GuardState = RESTED;
  private readonly journal: Journal;
  private readonly engine: GuardedEngine;
  private readonly hooks: Hooks;
  private readonly artifacts: Artifacts;
  private readonly ledger: Ledger;
  private readonly drafting: Drafting;

  constructor(
    @inject(JOURNAL) journal: Journal,
    @inject(GUARDED_ENGINE) engine: GuardedEngine,
    @inject(HOOKS) hooks: Hooks,
    @inject(ARTIFACTS) artifacts: Artifacts,
    @inject(LEDGER) ledger: Ledger,
    @inject(DRAFTING) drafting: Drafting,
  ) {
    this.journal = journal;
    this.engine = engine;
    this.hooks = hooks;
    this.artifacts = artifacts;
    this.ledger = ledger;
    this.drafting = drafting;
  }

  get reducer(): string | null {
    return this.engine.claims.owns.includes('reduce') ? this.engine.name : null;
  }

  async run(ask: CompactAsk): Promise<readonly Written[]> {
    const admission = admit(this.ledger.guards(), ask.climb.trigger, this.drafting.nowMs());
    this.guards = admission.state;
    if (!admission.admitted) return [this.ledger.defer(ask.climb, admission.guard, new Date(admission.untilMs).toISOString())];
    const written = await this.admitted(ask);
    await this.ledger.keep(ask.climb, this.guards);
    return written;
  }

  private async admitted(ask: CompactAsk): Promise<readonly Written[]> {
    const wish = await this.wishOf(ask);
    if (wish.deferredBy !== null) return [...wish.faults, this.ledger.defer(ask.climb, `hook ${wish.deferredBy}`, 'the next climb')];
    return [...wish.faults, await this.settle(ask, await this.ask(ask, wish.keepRecent))];
  }

  /** Hooks see each other's answer in order; one that throws has no say. */
  private async wishOf({ climb, soft, keepRecent: asked }: CompactAsk): Promise<Wish> {
    let keepRecent = asked;
    const faults: Written[] = [];
    for (const hook of this.hooks.beforeCompaction) {
      try {
        const answer = await hook.run({ trigger: climb.trigger, keepRecent, signal: climb.signal });
        if (answer?.defer === true && soft) return { keepRecent, deferredBy: hook.name, faults };
        keepRecent = answer?.keepRecent ?? keepRecent;
      } catch (error) {
        faults.push({ changed: false, declined: { what: `hook ${hook.name}`, why: messageOf(error) } });
      }
    }
    return { keepRecent, deferredBy: null, faults };
  }

  private async ask({ climb, headroom, goalTokens }: CompactAsk, keepRecent: number | null): Promise<CompactOutcome> {
    try {
      return await this.engine.compact({
        trigger: climb.trigger,
        goalTokens,
        keepRecent,
        focus: climb.focus ?? null,
        protectedEntries: untouchable(this.journal.shown(), this.journal.newestUserEntry).map(({ entry }) => entry.id),
        budget: headroom.budget,
        signal: climb.signal,
      });
    } catch (error) {
      return { kind: 'failed', error: messageOf(error), retryable: true };
    }
  }

  private async settle(ask: CompactAsk, outcome: CompactOutcome): Promise<Written> {
    const { climb } = ask;
    switch (outcome.kind) {
      case 'compacted':
        return climb.trigger === 'prepare'
          ? this.refuse(climb, 'a background preparation may only write artifacts')
          : this.write(ask, outcome);
      case 'prepared':
        return this.keep(climb, outcome);
      case 'noop':
        return this.refuse(climb, outcome.reason);
      case 'deferred':
        return this.ledger.defer(
          climb,
          `engine ${this.engine.name}`,
          typeof outcome.until === 'string' ? outcome.until : new Date(outcome.until.atMs).toISOString(),
        );
      case 'irreducible':
        return this.refuse(
          climb,
          `irreducible: ${String(outcome.floorTokens)} tokens stay${outcome.advice.length === 0 ? '' : `; ${outcome.advice.join('; ')}`}`,
        );
      case 'failed':
        return this.failed(climb, outcome.error);
    }
  }

  private async write({ climb, headroom }: CompactAsk, outcome: CompactOutcome & { kind: 'compacted' }): Promise<Written> {
    const counted = await this.withStored(outcome.drafts).catch(messageOf);
    if (typeof counted === 'string') return this.failed(climb, counted);
    const drafts = recounted(counted, this.journal.shown(), this.drafting.measure);
    const checked = await this.journal.preview(drafts).then(() => null, messageOf);
    if (checked !== null) return this.failed(climb, checked);
    const written = await this.ledger.commit(climb, { by: this.engine.name, what: 'compact', drafts, minimumGain: 1 }).catch(blamed);
    if (typeof written === 'string') return this.failed(climb, written);
    const now = this.drafting.nowMs();
    this.guards = written.changed ? afterCompaction(this.guards, this.ended(headroom), now) : afterFailure(this.guards, now);
    return written;
  }

  /** Summaries that stand in artifacts written before are counted as well: their bodies join the drafts. */
  private async withStored(drafts: Drafts): Promise<Drafts> {
    const own = drafts.artifacts ?? [];
    const known = new Set(own.map(({ id }) => id));
    const named = (drafts.compaction?.segments ?? []).flatMap((segment) =>
      segment.show === 'summary' && 'artifact' in segment.text ? [segment.text.artifact] : [],
    );
    const missing = [...new Set(named)].filter((id) => !known.has(id));
    if (missing.length === 0) return drafts;
    const found = await Promise.all(missing.map((id) => this.artifacts.get(id)));
    const stored = found.filter((artifact) => artifact !== null);
    if (stored.length < missing.length) throw new Error('a summary names an artifact that does not exist');
    return { ...drafts, artifacts: [...own, ...stored] };
  }

  private ended(headroom: Headroom): Ended {
    const floor = untouchable(this.journal.shown(), this.journal.newestUserEntry).reduce((sum, { shownTokens }) => sum + shownTokens, 0);
    return {
      requestTokens: requestTokens(headroom, this.ledger.shownTokens()),
      startTokens: headroom.budget.marks.start,
      floorTokens: requestTokens(headroom, floor),
    };
  }

  private async keep(climb: Climb, { artifacts }: CompactOutcome & { kind: 'prepared' }): Promise<Written> {
    const kept = await this.artifacts.put(artifacts).then(() => null, messageOf);
    return kept === null
      ? { changed: false, declined: { what: 'compact', why: `prepared ${String(artifacts.length)} artifacts for later` } }
      : this.failed(climb, kept);
  }

  private refuse(climb: Climb, why: string): Written {
    return this.ledger.refuse(climb, this.engine.name, { what: 'compact', why });
  }

  /** A person's abort is nobody's failure. */
  private failed(climb: Climb, why: string): Written {
    if (!climb.signal.aborted) this.guards = afterFailure(this.guards, this.drafting.nowMs());
    return this.refuse(climb, climb.signal.aborted ? 'aborted' : why);
  }
}

/** What was thrown for the engine's sake, in words. @throws what is of the log, the store or their surroundings, as it is. */
function blamed(error: unknown): string {
  if (isPalimpsestError(error) && error.kind !== 'plugin') throw error;
  return messageOf(error);
}

export const COMPACT_RUNG = sessionToken<CompactRung>('maintenance.compact-rung');
