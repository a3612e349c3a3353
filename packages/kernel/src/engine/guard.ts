import {
  ARTIFACTS,
  CLOCK,
  contextPlan,
  deepFrozen,
  errors,
  EVENTS,
  GUARD_SETTINGS,
  isPalimpsestError,
  json,
  messageOf,
  sessionToken,
} from '@palimpsest/contracts';
import type {
  Artifacts,
  Budget,
  Clock,
  CommittedTurn,
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  Declined,
  EngineSeat,
  EngineStatus,
  EngineTool,
  Events,
  GuardedEngine,
  GuardSettings,
  Json,
  Note,
  PlanRequest,
  PlanViolation,
  TurnStart,
  UsageReport,
} from '@palimpsest/contracts';
import { inject } from '@palimpsest/wiring';
import { z } from 'zod';
import { violationError, violations } from '../branch/segments.ts';
import { KERNEL_JOURNAL, type LeasedJournal } from '../journal.ts';
import { EngineBreaker } from './breaker.ts';
import { DeadlineMissed, TurnAborted, within } from './deadline.ts';
import { checkedOutcome } from './outcome.ts';
import { harmTo } from './protection.ts';

export type CompactAsk = Pick<CompactRequest, 'trigger' | 'goalTokens' | 'keepRecent' | 'focus' | 'protectedEntries' | 'budget' | 'signal'>;

/** Somebody who has aborted waits for the turn to end: an index gets this long, not an engine's whole deadline. */
const ABORTED_COMMIT_MS = 1_000;

/** Code of others: looked at before it is believed. */
const engineStatus = z.object({ summary: z.string(), details: json.exactOptional() });
const engineNotes = z.array(z.object({ key: z.string(), text: z.string() }));

type Tried = { readonly plan: ContextPlan } | { readonly error: unknown; readonly broken: readonly PlanViolation[] };
/** Methods that a turn depends on. */
const WEIGHED: ReadonlySet<string> = new Set(['plan', 'compact', 'begin', 'commit']);

export interface PlanAsk {
  readonly purpose: PlanRequest['purpose'];
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/**
 * Stands between the kernel and an engine. A call that throws, is late, or breaks a rule is named (engine, method, rule) and reported; a bad
 * plan is asked for once more; then the failure policy applies: the built-in engine answers until the turn ends, or the turn fails.
 */
export class EngineGuard implements GuardedEngine {
  readonly failures: string[] = [];
  /** The engine the session is set to, and why it is that one. */
  readonly chosen: { readonly name: string; readonly by: 'user' | 'substitution' };
  private seat: EngineSeat;
  /** Why the chosen engine does not answer in this turn. */
  private replaced: Declined | null = null;
  private generation = 0;
  private readonly breaker = new EngineBreaker();

  constructor(
    @inject(GUARD_SETTINGS) private readonly settings: GuardSettings,
    @inject(KERNEL_JOURNAL) private readonly journal: LeasedJournal,
    @inject(EVENTS) private readonly events: Events,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(ARTIFACTS) private readonly artifacts: Artifacts,
  ) {
    this.seat = settings.chosen;
    this.chosen = { name: settings.chosen.name, by: settings.substitution === null ? 'user' : 'substitution' };
  }

  get name(): string {
    return this.seat.name;
  }

  get engine(): ContextEngine {
    return this.seat.engine;
  }

  get claims(): EngineSeat['claims'] {
    return this.seat.claims;
  }

  /** For whom the engine that answers now stands in. */
  get substitutions(): readonly Declined[] {
    return [this.settings.substitution, this.replaced].filter((one) => one !== null);
  }

  async plan(ask: PlanAsk): Promise<ContextPlan> {
    let tried = await this.tried(ask);
    if ('error' in tried) tried = await this.tried(ask, tried.broken);
    if ('error' in tried && this.substitute('plan', tried.error)) tried = await this.tried(ask);
    if (!('error' in tried)) return tried.plan;
    throw isPalimpsestError(tried.error) ? tried.error : errors.engineFailed(this.seat.name, 'plan', ruleOf(tried.error), tried.error);
  }

  async compact(ask: CompactAsk): Promise<CompactOutcome> {
    this.sitOut();
    const { engine } = this.seat;
    if (engine.compact === undefined) return { kind: 'noop', reason: 'nothing-eligible' };
    const generation = ++this.generation;
    try {
      const request = Object.freeze({
        ...this.base(ask),
        trigger: ask.trigger,
        goalTokens: ask.goalTokens,
        keepRecent: ask.keepRecent,
        focus: ask.focus,
        protectedEntries: Object.freeze([...ask.protectedEntries]),
        generation,
        deadlineMs: this.clock.now() + this.settings.compactMs,
      });
      const answer: unknown = await within(this.clock, this.settings.compactMs, ask.signal, (signal) =>
        engine.compact?.(Object.freeze({ ...request, signal })),
      );
      const checked = checkedOutcome(answer, this.journal.session);
      if ('rule' in checked) throw errors.engineFailed(this.seat.name, 'compact', checked.rule, new Error(checked.problem));
      const harm = harmTo(new Set([...ask.protectedEntries, this.journal.newestUserEntry]), checked.outcome, this.journal.shown());
      if (harm !== null) throw errors.engineFailed(this.seat.name, 'compact', 'protected', new Error(harm));
      return checked.outcome;
    } catch (error) {
      if (error instanceof TurnAborted) return { kind: 'failed', error: error.message, retryable: true };
      this.report('compact', error);
      return { kind: 'failed', error: messageOf(error), retryable: error instanceof DeadlineMissed };
    }
  }

  async begin(turn: TurnStart): Promise<readonly Note[]> {
    if (this.breaker.openUntil(this.clock.now()) === null) this.seatChosen();
    this.sitOut();
    if (!('begin' in this.engine)) return [];
    const answer: unknown = await this.call('begin', turn.signal, (signal) => this.engine.begin?.({ ...turn, signal }));
    if (answer === undefined || answer === null) return [];
    const checked = engineNotes.safeParse(answer);
    if (checked.success) return checked.data;
    this.report('begin', errors.engineFailed(this.seat.name, 'begin', 'notes-invalid', new Error('answers with no list of notes')));
    return [];
  }

  /** After it the chosen engine is asked again: a substitution lasts for the rest of the turn. An aborted turn is indexed too, if that is quick. */
  async commit(turn: Omit<CommittedTurn, 'generation'>): Promise<void> {
    const [outer, ms] = turn.signal.aborted
      ? [new AbortController().signal, Math.min(ABORTED_COMMIT_MS, this.settings.callMs)]
      : [turn.signal, this.settings.callMs];
    if ('commit' in this.engine)
      await this.call('commit', outer, (signal) => this.engine.commit?.({ ...turn, signal, generation: this.generation }), ms);
    this.seatChosen();
    this.breaker.turnEnded(this.clock.now());
  }

  /** What the engine says of itself; null: nothing, or nothing that can be shown. */
  async status(): Promise<EngineStatus | null> {
    const answer: unknown = await this.call('status', new AbortController().signal, () => this.engine.status?.());
    if (answer === undefined || answer === null) return null;
    const checked = engineStatus.safeParse(answer);
    if (checked.success) return checked.data;
    this.report('status', errors.engineFailed(this.seat.name, 'status', 'status-invalid', new Error('answers with no summary')));
    return null;
  }

  /** A tool of the engine. Named when it fails, but not weighed: what it was asked for is the model's choice. @throws what it throws, ENGINE_FAILED, DeadlineMissed, TurnAborted. */
  async callTool(tool: EngineTool, input: Json, ask: { readonly maxTokens: number; readonly signal: AbortSignal }): Promise<string> {
    const [method, branch] = [`tool ${tool.name}`, this.journal.branch()];
    try {
      const answer: unknown = await within<unknown>(this.clock, this.settings.callMs, ask.signal, (signal) =>
        tool.run(input, { branch, maxTokens: ask.maxTokens, signal }),
      );
      if (typeof answer !== 'string')
        throw errors.engineFailed(this.seat.name, method, 'answer-no-text', new Error('answers with no text'));
      return answer;
    } catch (error) {
      if (!(error instanceof TurnAborted)) this.report(method, error);
      throw error;
    }
  }

  observe(usage: UsageReport): void {
    try {
      const answer: unknown = this.engine.observe?.(usage);
      if (answer instanceof Promise)
        answer.catch((error: unknown) => {
          this.report('observe', error);
        });
    } catch (error) {
      this.report('observe', error);
    }
  }

  async close(): Promise<void> {
    for (const seat of new Set([this.settings.chosen, this.seat]))
      await this.call('close', new AbortController().signal, () => seat.engine.close?.());
  }

  /** One plan, checked; or what went wrong, reported. @throws TurnAborted alone. */
  private async tried(ask: PlanAsk, rejected: readonly PlanViolation[] = []): Promise<Tried> {
    let broken: readonly PlanViolation[] = [];
    try {
      const plan = checkedPlan(await this.answered(ask, rejected));
      broken = 'rule' in plan ? [plan] : await this.broken(plan);
      if ('rule' in plan || broken.length > 0) throw violationError(this.seat.name, broken);
      return { plan };
    } catch (error) {
      if (error instanceof TurnAborted) throw error;
      this.report('plan', error);
      return { error, broken };
    }
  }

  private async broken(plan: ContextPlan): Promise<readonly PlanViolation[]> {
    const found = violations(this.journal.shown(), plan.segments, { whole: true, mustShow: this.journal.newestUserEntry });
    if (found.length > 0) return found;
    const named = plan.segments.flatMap((segment) =>
      segment.show === 'summary' && 'artifact' in segment.text ? [segment.text.artifact] : [],
    );
    const stored = await Promise.all(named.map((id) => this.artifacts.get(id, { offset: 0, length: 0 })));
    return named
      .filter((_, at) => stored[at] === null)
      .map((id) => ({ rule: 'artifact-unknown', problem: `a summary names the artifact ${id}, which does not exist` }));
  }

  private answered(ask: PlanAsk, rejected: readonly PlanViolation[]): Promise<unknown> {
    const { engine } = this.seat;
    const deadlineMs = this.clock.now() + this.settings.planMs;
    const request = {
      ...this.base(ask),
      purpose: ask.purpose,
      deadlineMs,
      ...(rejected.length === 0 ? {} : { rejected: deepFrozen([...rejected]) }),
    };
    return within<unknown>(this.clock, this.settings.planMs, ask.signal, (signal) => engine.plan(Object.freeze({ ...request, signal })));
  }

  private base(ask: {
    readonly budget: Budget;
    readonly signal: AbortSignal;
  }): Pick<PlanRequest, 'session' | 'branch' | 'newestUserEntry' | 'budget' | 'signal'> {
    return {
      session: this.journal.session,
      branch: this.journal.branch(),
      newestUserEntry: this.journal.newestUserEntry,
      budget: frozenCopy(ask.budget),
      signal: ask.signal,
    };
  }

  private async call<T>(
    method: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => T | Promise<T>,
    ms = this.settings.callMs,
  ): Promise<T | null> {
    try {
      return await within(this.clock, ms, signal, work);
    } catch (error) {
      if (!(error instanceof TurnAborted)) this.report(method, error);
      return null;
    }
  }

  private report(method: string, error: unknown): void {
    const rule = ruleOf(error);
    if (this.seat === this.settings.chosen && WEIGHED.has(method)) this.breaker.failed(rule === 'throws' || rule === 'deadline' ? 1 : 2);
    this.failures.push(`${this.seat.name} ${method}: ${messageOf(error)}`);
    this.events.emit('engine.failed', { session: this.journal.session, turn: null, engine: this.seat.name, method, rule });
  }

  /** A substitution is over: the chosen engine is asked again. */
  private seatChosen(): void {
    this.seat = this.settings.chosen;
    this.replaced = null;
  }

  /** An engine that failed in turn after turn is not asked for a while: neither in a turn nor when room is made between turns. */
  private sitOut(): void {
    const until = this.breaker.openUntil(this.clock.now());
    if (until !== null && this.settings.fallback !== null && this.seat === this.settings.chosen)
      this.stand(`failed in turn after turn, asked again from ${new Date(until).toISOString()} on`, this.settings.fallback);
  }

  /** False: the policy says `fail`, or the built-in engine itself failed. */
  private substitute(method: string, error: unknown): boolean {
    const fallback = this.settings.fallback;
    if (fallback === null || this.seat === fallback) return false;
    this.stand(`${method}: ${ruleOf(error)}`, fallback);
    return true;
  }

  private stand(rule: string, fallback: EngineSeat): void {
    this.events.emit('engine.replaced', { session: this.journal.session, turn: null, from: this.seat.name, to: fallback.name, rule });
    this.replaced = { what: `engine ${this.seat.name}`, why: `${rule}; ${fallback.name} stands in until the turn ends` };
    this.seat = fallback;
  }
}

/** A copy: what the engine does to its own afterwards changes nothing. */
function checkedPlan(answer: unknown): ContextPlan | PlanViolation {
  const parsed = contextPlan.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return {
    rule: 'plan-invalid',
    problem: `the answer is no list of segments: ${issue === undefined ? 'invalid' : `${z.core.toDotPath(issue.path)} ${issue.message}`}`,
  };
}

/** Engines judge by this figure; the host does by its own. */
function frozenCopy(budget: Budget): Budget {
  return deepFrozen(structuredClone(budget));
}

function ruleOf(error: unknown): string {
  if (error instanceof DeadlineMissed) return 'deadline';
  return isPalimpsestError(error) && typeof error.details['rule'] === 'string' ? error.details['rule'] : 'throws';
}

export const KERNEL_ENGINE = sessionToken<EngineGuard>('kernel.engine-guard');
