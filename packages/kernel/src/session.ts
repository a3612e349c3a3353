import { errors, isPalimpsestError } from '@palimpsest/contracts';
import type {
  Artifacts,
  Delta,
  EntryId,
  Log,
  OpenTurn,
  Renderer,
  Session,
  SessionId,
  SessionStatus,
  Turn,
  TurnResult,
  UserInput,
  Why,
  Wire,
  Resolution,
  EventMap,
  EventName,
} from '@palimpsest/contracts';
import type { SessionInbox } from './inbox.ts';
import { inputOf } from './input-check.ts';
import { compactNow, undoNow } from './maintenance-verbs.ts';
import type { PromptKeeper } from './prompt-keeper.ts';
import { SessionQueue } from './session-queue.ts';
import { HeldStepLoop } from './step-loop.ts';
import type { TurnKit } from './turn-kit.ts';
import { runTurn } from './turn.ts';
import { TurnStream } from './turn-stream.ts';
import { UsageTally } from './usage-tally.ts';
import { why } from './why.ts';

/** What a session is opened with; owned by the runtime, which also closes it. */
export interface SessionParts {
  readonly id: SessionId;
  readonly kit: TurnKit;
  readonly inbox: SessionInbox;
  readonly prompts: PromptKeeper;
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly renderer: Renderer;
  readonly wireOf: (route: string) => Promise<Wire>;
  readonly resolution: Resolution;
  close(): Promise<void>;
}

/** Data and few methods: each verb is a function that takes what it needs. Turns queue behind each other. */
export class KernelSession implements Session {
  readonly id: SessionId;
  readonly loop: HeldStepLoop;
  private readonly queue: SessionQueue;
  /** The running turn, then those that wait. */
  private readonly turns: TurnStream[] = [];
  private readonly parts: SessionParts;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.id = parts.id;
    this.queue = new SessionQueue(parts.id, parts.kit.journal);
    this.loop = new HeldStepLoop(parts.kit, this.queue);
  }

  send(input: string | UserInput, options: { readonly signal?: AbortSignal; readonly steer?: boolean } = {}): Turn {
    const given = inputOf(input);
    if (isPalimpsestError(given)) return new TurnStream(() => Promise.reject(given));
    const signal = options.signal ?? new AbortController().signal;
    const [next] = this.turns;
    if (options.steer === true && next !== undefined) return this.joined(given, next, signal);
    this.parts.inbox.waiting += 1;
    const turn = new TurnStream((stream) => this.queue.run(() => this.run(given, signal, stream)));
    this.turns.push(turn);
    return turn;
  }

  async compact(options: { readonly focus?: string } = {}): Promise<string> {
    return this.queue.held(() => compactNow(this.parts.kit, options.focus));
  }

  async undo(): Promise<string> {
    return this.queue.held(() => undoNow(this.parts.kit));
  }

  async moveTo(entry: EntryId | null): Promise<void> {
    await this.queue.held(() => this.parts.kit.journal.moveTo(entry));
  }

  async why(step?: EntryId | number): Promise<Why> {
    this.queue.assertOpen();
    return why({ ...this.parts, session: this.id }, step);
  }

  async status(): Promise<SessionStatus> {
    this.queue.assertOpen();
    const { kit, log, resolution } = this.parts;
    await kit.journal.refresh();
    await this.parts.prompts.prompt();
    const status = await kit.engine.status();
    const record = await log.session(this.id);
    return {
      session: this.id,
      leaf: record?.leaf ?? null,
      entries: record?.entries ?? 0,
      model: kit.model.route,
      engine: { ...resolution, active: kit.engine.name, status, failures: kit.engine.failures },
      budget: kit.views.budget(null),
      shownTokens: kit.journal.shownTokens,
      compaction: kit.journal.marks.compaction?.id ?? null,
    };
  }

  on<N extends EventName>(name: N, seen: (event: EventMap[N]) => void): () => void {
    return this.parts.kit.events.on(name, seen);
  }

  /** Waits for what is queued, tells the engine, closes what the session opened. Idempotent. */
  async close(): Promise<void> {
    if (await this.queue.close(() => this.loop.endOpenTurn())) await this.parts.close();
  }

  /** Its stream is the first of `turns` until the turn has ended. */
  private run(input: UserInput, signal: AbortSignal, stream: TurnStream): Promise<TurnResult> {
    this.parts.inbox.waiting -= 1;
    return stream.hearing(this.parts.kit.events, (onDelta) =>
      this.turn(input, signal, onDelta).finally(() => {
        this.parts.inbox.turnEnded();
        this.turns.shift();
      }),
    );
  }

  private async turn(input: UserInput, signal: AbortSignal, onDelta: (delta: Delta) => void): Promise<TurnResult> {
    this.parts.kit.drafts.foresee(input);
    const tally = new UsageTally(this.parts.kit.events);
    try {
      return result(await runTurn(this.parts.kit, input, { signal, onDelta }), tally, this.parts.kit);
    } finally {
      tally.stop();
    }
  }

  /** Streams and ends as the turn does that it joins: the running one, else the next. An input that comes too late for it has a turn of its own, behind it, under its own signal. */
  private joined(input: UserInput, turn: TurnStream, signal: AbortSignal): Turn {
    const { inbox } = this.parts;
    inbox.join(input);
    const joined = new TurnStream((stream) =>
      this.queue.run(() => {
        if (!inbox.takeLate(input)) return turn.result;
        inbox.waiting += 1;
        this.turns.unshift(stream);
        return this.run(input, signal, stream);
      }),
    );
    turn.alsoTo(joined);
    return joined;
  }
}

function result(turn: OpenTurn, { usage, steps, failure }: UsageTally, kit: TurnKit): TurnResult {
  if (turn.ended === 'failed')
    throw errors.modelFailed(kit.model.route, failure?.kind ?? 'unknown', failure?.message ?? 'the model call failed');
  if (turn.ended === 'exhausted') {
    const step = kit.journal.marks.step;
    throw errors.contextExhausted(
      step?.judgement.tokens ?? kit.journal.shownTokens,
      kit.views.budget(turn).effective,
      step?.judgement.parts ?? {},
    );
  }
  return { turn: turn.id, text: turn.text, ended: turn.ended ?? 'failed', steps, usage };
}
