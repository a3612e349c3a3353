import { messageOf } from '@palimpsest/contracts';
import type {
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineHost,
  EngineStatus,
  EngineTool,
  PlanRequest,
  Trigger,
} from '@palimpsest/contracts';
import { everything } from '@palimpsest/plugin-kit';
import { foldRun } from './folds.ts';
import { Frontier } from './frontier.ts';
import { leafRuns } from './leaves.ts';
import { NodeWriter } from './node-writer.ts';
import type { LcmOptions } from './options.ts';
import { piecesOf, type Piece } from './pieces.ts';
import { expandTool } from './tools/expand.ts';
import { grepTool } from './tools/grep.ts';

/** These ask for the goal and no more. */
const stopsAtGoal: ReadonlySet<Trigger> = new Set(['hygiene', 'threshold', 'overflow', 'model-switch']);

/**
 * Shows the frontier: nodes that stand for whole turns, then the newest part as it is. The frontier lives in the log, in the newest
 * compaction; the engine itself keeps nothing, so that any of its objects goes on where another one stopped.
 */
export class LcmEngine implements ContextEngine {
  readonly tools: readonly EngineTool[];
  readonly #host: EngineHost<LcmOptions>;
  #last = 'none yet';

  constructor(host: EngineHost<LcmOptions>) {
    this.#host = host;
    this.tools = [grepTool(host), expandTool(host)];
  }

  plan(request: PlanRequest): ContextPlan {
    return everything(request);
  }

  async compact(request: CompactRequest): Promise<CompactOutcome> {
    const outcome = await this.#compact(request).catch((fault: unknown): CompactOutcome => failed(fault, request.signal));
    this.#last = outcome.kind;
    return outcome;
  }

  status(): EngineStatus {
    return { summary: `last compaction: ${this.#last}` };
  }

  async #compact(request: CompactRequest): Promise<CompactOutcome> {
    const { branch, trigger, goalTokens } = request;
    if (trigger === 'prepare') return { kind: 'noop', reason: 'nothing-eligible' };
    if (stopsAtGoal.has(trigger) && branch.shownTokens <= goalTokens) return { kind: 'noop', reason: 'under-mark' };
    const pieces = await piecesOf(request);
    const frontier = new Frontier(pieces);
    await this.#makeRoom(frontier, request);
    const short = `${String(frontier.artifacts().length)} nodes, ${String(branch.shownTokens)} to ${String(frontier.tokens)} tokens`;
    if (frontier.changed)
      return { kind: 'compacted', drafts: { compaction: { segments: frontier.segments(), short }, artifacts: frontier.artifacts() } };
    return branch.shownTokens <= goalTokens ? { kind: 'noop', reason: 'nothing-eligible' } : irreducible(pieces, frontier.tokens);
  }

  /** Leaves outside the tail, then folds; where that is not enough, again with half the tail, then with none. */
  async #makeRoom(frontier: Frontier, request: CompactRequest): Promise<void> {
    const { goalTokens, keepRecent, trigger, focus, signal } = request;
    const writer = new NodeWriter(this.#host, { focus, signal });
    const tail = keepRecent ?? Math.min(this.#host.options.tail_tokens, Math.floor(goalTokens / 2));
    for (const [at, tailTokens] of [tail, Math.floor(tail / 2), 0].entries()) {
      const enough = at === 0 && !stopsAtGoal.has(trigger) ? 0 : goalTokens;
      await this.#makeLeaves(frontier, { tailTokens, enough, writer });
      await this.#makeFolds(frontier, { goalTokens, writer });
      signal.throwIfAborted();
      if (frontier.tokens <= goalTokens) return;
    }
  }

  async #makeLeaves(
    frontier: Frontier,
    { tailTokens, enough, writer }: { readonly tailTokens: number; readonly enough: number; readonly writer: NodeWriter },
  ): Promise<void> {
    let shift = 0;
    for (const { from, to } of leafRuns(frontier.pieces, { sourceTokens: this.#host.options.leaf_source_tokens, tailTokens })) {
      if (frontier.tokens <= enough) return;
      const run = { from: from + shift, to: to + shift };
      const node = await writer.leaf(frontier.pieces.slice(run.from, run.to));
      if (node === null) continue;
      frontier.replace(run, node);
      shift -= to - from - 1;
    }
  }

  async #makeFolds(
    frontier: Frontier,
    { goalTokens, writer }: { readonly goalTokens: number; readonly writer: NodeWriter },
  ): Promise<void> {
    while (frontier.tokens > goalTokens) {
      const run = foldRun(frontier.pieces, this.#host.options.fold_fanout);
      const children = run === null ? [] : frontier.pieces.slice(run.from, run.to).filter((piece) => piece.kind === 'covered');
      const node = run === null ? null : await writer.fold(children);
      if (run === null || node === null) return;
      frontier.replace(run, node);
    }
  }
}

function irreducible(pieces: readonly Piece[], floorTokens: number): CompactOutcome {
  const fixed = pieces.reduce((sum, piece) => sum + (piece.kind === 'shown' && piece.fixed ? piece.tokens : 0), 0);
  const nodes = pieces.reduce((sum, piece) => sum + (piece.kind === 'covered' ? piece.tokens : 0), 0);
  return {
    kind: 'irreducible',
    floorTokens,
    parts: { protected: fixed, nodes, rest: floorTokens - fixed - nodes },
    advice: ['Use a model with a larger window.', 'Shorten or offload what is protected: the newest input and the open tool results.'],
  };
}

function failed(fault: unknown, signal: AbortSignal): CompactOutcome {
  return { kind: 'failed', error: signal.aborted ? 'aborted' : messageOf(fault), retryable: signal.aborted };
}
