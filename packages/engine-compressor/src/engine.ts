import type {
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineHost,
  EngineStatus,
  Json,
  PlanRequest,
  Trigger,
} from '@palimpsest/contracts';
import { messageOf } from '@palimpsest/contracts';
import { everything } from '@palimpsest/plugin-kit';
import { decide, type Decision } from './decide.ts';
import { fileDetails } from './details.ts';
import { movedOptions } from './limits.ts';
import type { CompressorOptions } from './options.ts';
import { readWindow } from './window.ts';
import { writer } from './writer.ts';

/** These ask for the goal and no more; an operator and a pause may ask for a compaction below it. */
const stopsAtGoal: ReadonlySet<Trigger> = new Set(['hygiene', 'threshold', 'overflow', 'model-switch']);

/** The built-in lossy engine: shows everything as logged, and makes room by summing up what lies between head and tail. */
export class CompressorEngine implements ContextEngine {
  readonly #host: EngineHost<CompressorOptions>;
  #compactions = 0;
  #last = 'none yet';
  /** What was told of options that are not used as they were asked for. */
  readonly #told = new Set<string>();

  constructor(host: EngineHost<CompressorOptions>) {
    this.#host = host;
  }

  plan(request: PlanRequest): ContextPlan {
    return everything(request);
  }

  async compact(request: CompactRequest): Promise<CompactOutcome> {
    const outcome = await this.#compact(request).catch((fault: unknown): CompactOutcome => failed(fault, request.signal));
    this.#last = outcome.kind === 'noop' ? `noop: ${outcome.reason}` : outcome.kind;
    if (outcome.kind === 'compacted') this.#compactions += 1;
    return outcome;
  }

  status(): EngineStatus {
    return {
      summary: `${String(this.#compactions)} compactions proposed, last answer: ${this.#last}`,
      details: { compactions: this.#compactions, last: this.#last },
    };
  }

  /** Once a session, each. */
  #tell(lines: readonly string[]): void {
    for (const line of lines.filter((one) => !this.#told.has(one))) {
      this.#told.add(line);
      this.#host.log.warn(line);
    }
  }

  async #compact(request: CompactRequest): Promise<CompactOutcome> {
    const { branch, trigger, goalTokens, focus, signal } = request;
    if (trigger === 'prepare') return { kind: 'noop', reason: 'nothing-eligible' };
    this.#tell(movedOptions(request.budget, this.#host.options, request.keepRecent));
    if (stopsAtGoal.has(trigger) && branch.shownTokens <= goalTokens) return { kind: 'noop', reason: 'under-mark' };
    const bundles = await readWindow(branch, async (id) => (await this.#host.artifacts.get(id))?.body ?? null, signal);
    await this.#host.pause();
    const decision = await decide({
      bundles,
      request,
      options: this.#host.options,
      compacted: branch.compaction !== null,
      write: writer(this.#host, { focus, signal }),
    });
    return decision.kind === 'covered' ? compacted(decision, request) : decision;
  }
}

function compacted({ covered, beforeTokens }: Extract<Decision, { kind: 'covered' }>, { branch }: CompactRequest): CompactOutcome {
  const entries = covered.covered.reduce((sum, bundle) => sum + (bundle.kind === 'entries' ? bundle.messages : 0), 0);
  const details: Json = { ...fileDetails(covered.covered, branch.compaction) };
  const short = `${String(entries)} entries summed up, ${String(beforeTokens)} to ${String(covered.tokens)} tokens`;
  return { kind: 'compacted', drafts: { compaction: { segments: covered.segments, short, details } } };
}

function failed(fault: unknown, signal: AbortSignal): CompactOutcome {
  return { kind: 'failed', error: signal.aborted ? 'aborted' : messageOf(fault), retryable: signal.aborted };
}
