import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type {
  EntryId,
  Json,
  OpenTurn,
  Prepared,
  Recorded,
  Refusal,
  StepId,
  StepLoop,
  ToolMessage,
  TurnEnd,
  UserInput,
  View,
} from '@palimpsest/contracts';
import { handedOut } from './frozen.ts';
import { answerOf, type Recording } from './host-answer.ts';
import { inputOf } from './input-check.ts';
import { abortedOnly } from './open-turn.ts';
import type { SessionQueue } from './session-queue.ts';
import type { Next, TurnKit } from './turn-kit.ts';
import { prepare, record, settle, submit } from './turn.ts';

interface OpenStep {
  readonly id: StepId;
  readonly view: View;
  readonly leaf: EntryId | null;
  recorded: boolean;
}

/**
 * A host's own loop over the turn's own verbs. Each call waits for its turn among everything that the session does, and holds the lease
 * within itself only: between two calls the session is free.
 */
export class HeldStepLoop implements StepLoop {
  private turn: OpenTurn | null = null;
  private step: OpenStep | null = null;
  private prepared = 0;
  private readonly kit: TurnKit;
  private readonly queue: SessionQueue;

  constructor(kit: TurnKit, queue: SessionQueue) {
    this.kit = kit;
    this.queue = queue;
  }

  async submit(input: string | UserInput): Promise<EntryId> {
    const given = inputOf(input);
    if (isPalimpsestError(given)) throw given;
    return this.queue.held(async () => {
      await this.endOpenTurn();
      this.turn = await submit(this.kit, given, new AbortController().signal);
      return this.turn.id;
    });
  }

  async prepare(options: { readonly signal?: AbortSignal } = {}): Promise<Prepared | Refusal> {
    const signal = options.signal ?? new AbortController().signal;
    return this.queue.held(async () => {
      const turn = this.open();
      if (signal.aborted) return { refused: 'aborted' };
      if (turn.steps >= this.kit.limits.steps) return this.refuse(turn, 'step-limit', { refused: 'step-limit' });
      await this.kit.repair();
      const view = await prepare(this.kit, turn, signal).catch(abortedOnly);
      if (view === 'aborted' || signal.aborted) return { refused: 'aborted' };
      if (view.judgement.mark === 'over') return this.refuse(turn, 'exhausted', refusal(view));
      this.prepared += 1;
      this.step = { id: `step-${String(this.prepared)}` as StepId, view, leaf: this.leaf(), recorded: false };
      return { stepId: this.step.id, request: handedOut(view.request), why: view };
    });
  }

  async record(stepId: StepId, answer: Recording): Promise<Recorded> {
    return this.queue.held(async () => {
      const [turn, step, given] = [this.open(), this.stepOf(stepId), answerOf(answer)];
      if (step.recorded) throw errors.loopStepUnknown(stepId);
      const leaf = this.leaf();
      if (leaf !== step.leaf) throw errors.logLeafMoved(this.kit.journal.session, step.leaf, leaf);
      step.recorded = true;
      return this.next(turn, await record(this.kit, turn, step.view, given));
    });
  }

  async recordToolResult(stepId: StepId, callId: string, result: unknown): Promise<ToolMessage> {
    return this.queue.held(async () => {
      const [turn] = [this.open(), this.stepOf(stepId)];
      const call = this.kit.journal.openCalls()?.calls.find(({ id }) => id === callId);
      if (call === undefined) throw errors.loopCallUnknown(callId);
      const draft = await this.kit.tools.shape(turn, call, result);
      await this.kit.journal.append([draft]);
      return draft.kind === 'message' && draft.message.role === 'tool' ? draft.message : { role: 'tool', content: [] };
    });
  }

  /** Reads a snapshot and writes nothing: it waits for nobody, so that a tool of a running turn may call another. */
  async callTool(name: string, args: Json): Promise<unknown> {
    this.queue.assertOpen();
    return this.kit.tools.call(name, args, new AbortController().signal);
  }

  /** A turn that was never finished ends when the next begins, or the session closes. */
  async endOpenTurn(): Promise<void> {
    const turn = this.turn;
    this.turn = null;
    this.step = null;
    if (turn !== null)
      await settle(this.kit, turn, turn.ended ?? (turn.text === '' ? 'aborted' : 'answered'), new AbortController().signal);
  }

  /** How the turn will have ended, unless the host makes room and goes on. */
  private refuse(turn: OpenTurn, ended: TurnEnd, refused: Refusal): Refusal {
    turn.ended = ended;
    return refused;
  }

  /** A turn that is done is over before it is settled: it is settled once, and nothing is added to it. */
  private async next(turn: OpenTurn, next: Next): Promise<Recorded> {
    turn.ended = null;
    if (next === 'tools') return { next, calls: turn.calls };
    if (next === 'retry') return { next };
    turn.ended = next;
    if (next === 'exhausted') return { next };
    await this.endOpenTurn();
    return { next: 'done', ended: next };
  }

  private leaf(): EntryId | null {
    return this.kit.journal.marks.last?.id ?? null;
  }

  private open(): OpenTurn {
    if (this.turn === null) throw errors.loopNoTurn();
    return this.turn;
  }

  private stepOf(id: StepId): OpenStep {
    if (this.step?.id !== id) throw errors.loopStepUnknown(id);
    return this.step;
  }
}

function refusal({ judgement, budget }: View): Refusal {
  return { refused: 'exhausted', tokens: judgement.tokens, effective: budget.effective, parts: judgement.parts };
}
