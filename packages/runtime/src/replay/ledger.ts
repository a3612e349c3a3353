import type { Entry, Events, ModelRequest, View } from '@palimpsest/contracts';
import { PrefixWatch } from './prefix-watch.ts';
import type { ReplayInvariants, ReplayStep, ReplayTotals } from './report.ts';
import { pairFaults, requestFaults } from './request-check.ts';

/** Books what a replay sends and what maintenance does, from events and from the requests themselves. */
export class ReplayLedger {
  readonly steps: ReplayStep[] = [];
  /** Requests that a strict provider would refuse, with why. */
  readonly invalid: string[] = [];
  /** Requests by the `name@version` of the engine that planned them. */
  readonly planned = new Map<string, number>();
  /** What took the asked engine's place first, and the rule that it broke; null: nothing did. */
  replaced: { readonly to: string; readonly rule: string } | null = null;
  /** What asked to make room and was refused, with why, and how often. */
  readonly refusals = new Map<string, number>();
  exhausted = 0;
  entryTokens = 0;
  outputTokens = 0;
  #reductions = 0;
  #compactions = 0;
  #hostCompactions = 0;
  #engineMs = 0;
  #overBudget = 0;
  #pairs = true;
  #newestUser = true;
  #accounted = true;
  #since: string[] = [];
  readonly #prefix = new PrefixWatch();

  constructor(events: Events) {
    events.on('entry.appended', ({ entry }) => {
      this.#entry(entry);
    });
    events.on('engine.replaced', ({ to, rule }) => {
      this.replaced ??= { to, rule };
    });
    events.on('compaction.refused', ({ by, why }) => {
      this.#refused(by, why);
    });
    events.on('plan.made', ({ ms }) => {
      this.#engineMs += ms;
    });
  }

  /** Books one request before it is answered. */
  request(request: ModelRequest, view: View, newestUser: string | null): void {
    const { cacheReadTokens } = this.#prefix.see(request, view);
    const inputTokens = view.judgement.tokens;
    const faults = requestFaults(request);
    if (faults.length > 0) this.invalid.push(`request ${String(this.steps.length + 1)}: ${faults.join('; ')}`);
    if (pairFaults(request.messages).length > 0) this.#pairs = false;
    if (inputTokens > view.budget.effective) this.#overBudget += 1;
    if (newestUser !== null && !view.blocks.some((block) => block.origin === newestUser && block.shape !== 'summary'))
      this.#newestUser = false;
    const engineTextTokens = view.blocks.reduce((sum, block) => sum + (block.shape === 'summary' ? block.tokens : 0), 0);
    this.steps.push({
      step: this.steps.length + 1,
      inputTokens,
      availableTokens: view.budget.available,
      engineTextTokens,
      cacheReadTokens,
      cacheWriteTokens: Math.max(0, inputTokens - cacheReadTokens),
      prefixBreak: view.breakReason,
      maintenance: this.#since,
    });
    this.#since = [];
  }

  /** Before {@link request} is booked: whose request it is. */
  plannedBy(engine: string): void {
    this.planned.set(engine, (this.planned.get(engine) ?? 0) + 1);
  }

  unaccounted(): void {
    this.#accounted = false;
  }

  totals(): ReplayTotals {
    const sum = (pick: (step: ReplayStep) => number): number => this.steps.reduce((total, step) => total + pick(step), 0);
    return {
      requests: this.steps.length,
      inputTokens: sum((step) => step.inputTokens),
      cacheReadTokens: sum((step) => step.cacheReadTokens),
      cacheWriteTokens: sum((step) => step.cacheWriteTokens),
      outputTokens: this.outputTokens,
      reductions: this.#reductions,
      compactions: this.#compactions,
      hostCompactions: this.#hostCompactions,
      peakInputTokens: this.steps.reduce((peak, step) => Math.max(peak, step.inputTokens), 0),
      overBudgetRequests: this.#overBudget,
      invalidRequests: this.invalid.length,
      exhausted: this.exhausted,
      engineMs: Math.round(this.#engineMs),
      costUsd: null,
    };
  }

  invariants(): ReplayInvariants {
    return {
      fits: this.#overBudget === 0,
      pairs: this.#pairs,
      newestUserEntry: this.#newestUser,
      accounted: this.#accounted,
      prefixStable: this.#prefix.stable,
    };
  }

  #entry(entry: Entry): void {
    this.entryTokens += entry.kind === 'message' ? entry.tokens : 0;
    if (entry.kind === 'message' && entry.origin === 'model') this.outputTokens += entry.tokens;
    if (entry.kind === 'reduction') this.#note(`reduce (${String(entry.items.length)})`, () => (this.#reductions += 1));
    if (entry.kind !== 'compaction' || entry.hidden === true) return;
    if (entry.by === 'host') this.#note('trim', () => (this.#hostCompactions += 1));
    else this.#note(`compact (${entry.by})`, () => (this.#compactions += 1));
  }

  #refused(by: string, why: string): void {
    this.refusals.set(`${by}: ${why}`, (this.refusals.get(`${by}: ${why}`) ?? 0) + 1);
    this.#since.push(`refused (${by}): ${why}`);
  }

  #note(what: string, count: () => void): void {
    this.#since.push(what);
    count();
  }
}
