/** The engine under test with everything that goes in and comes out written down. */
import type {
  CommittedTurn,
  CompactOutcome,
  CompactRequest,
  ContextEngine,
  ContextPlan,
  EngineDefinition,
  EngineHost,
  EngineStatus,
  EngineTool,
  Note,
  PlanRequest,
  TurnStart,
  UsageReport,
} from '@palimpsest/contracts';
import { bentHost, type Bend, type Traces } from './bent-host.ts';
import { Late, Patience, type Hung } from './patience.ts';
import { nowMs } from './time.ts';

/** A call of the engine that ended, or did not in time. */
export interface EngineCall {
  readonly method: string;
  readonly session: string;
  readonly request: unknown;
  readonly answer?: unknown;
  readonly thrown?: unknown;
  /** It had not answered when its time was up, or when it was told to stop and had the grace of a second. */
  readonly late?: 'deadline' | 'abort';
}

interface Named {
  readonly method: string;
  readonly session: string;
}
/** An engine that answers at the last moment is in time. */
const TOLD_SHARE = 0.8;

export class Spy {
  readonly calls: EngineCall[] = [];
  readonly bend: Bend = {};
  readonly traces: Traces;
  readonly patience: Patience;
  /** Every engine that was made, newest last, as its author made it. */
  readonly engines: ContextEngine[] = [];
  /** The same ones behind the kit's deadline: no check calls an engine but through these, or through the host. */
  readonly watched: ContextEngine[] = [];
  /** The host's own figure for a summary's text, wrapper and all. */
  blockTokens: (text: string) => number = () => 0;
  /** Around everything that the engine runs. */
  within = <R>(work: () => R): R => work();
  readonly #running = new Set<Promise<unknown>>();

  /** @param patienceMs how long a call may take; a compaction four times as long. @param mayHaveModel one of its own. */
  constructor(patienceMs: number, hung: Hung = new Map(), mayHaveModel = false) {
    this.patience = new Patience(patienceMs, hung);
    this.traces = { isModelAtWork: mayHaveModel, derived: new Map(), derivedWrites: 0 };
  }

  definition(own: EngineDefinition): EngineDefinition {
    return {
      ...own,
      factory: async (host: EngineHost<never>) => {
        this.blockTokens = (text) => host.tokens.block(text);
        const engine = await this.#call({ method: 'factory', session: host.session }, bentHost(host, this.bend, this.traces), (handed) =>
          own.factory(handed as EngineHost<never>),
        );
        // What is none is the host's to refuse.
        if (typeof (engine as unknown) !== 'object' || (engine as unknown) === null) return engine;
        const watched = this.#watched(engine, host.session);
        this.engines.push(engine);
        this.watched.push(watched);
        return watched;
      },
    };
  }

  /** Calls since `from` of one method. */
  of<T extends EngineCall>(method: string, from = 0): readonly T[] {
    return this.calls.slice(from).filter((call): call is T => call.method === method);
  }

  /** No call is under way any more: each has ended, or was given up. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #watched(engine: ContextEngine, session: string): ContextEngine {
    const call =
      <A, R>(method: string, run: (request: A) => R | Promise<R>) =>
      (request: A): Promise<R> =>
        this.#call({ method, session }, request, run);
    const { compact, begin, commit, observe, tools, status, close } = engine;
    return {
      plan:
        typeof engine.plan === 'function'
          ? call('plan', (request: PlanRequest): ContextPlan | Promise<ContextPlan> => engine.plan(request))
          : engine.plan,
      ...(compact === undefined
        ? {}
        : { compact: call('compact', (request: CompactRequest): Promise<CompactOutcome> => compact.call(engine, request)) }),
      ...(begin === undefined ? {} : { begin: call('begin', (turn: TurnStart): Promise<readonly Note[]> => begin.call(engine, turn)) }),
      ...(commit === undefined
        ? {}
        : { commit: call('commit', (turn: CommittedTurn): Promise<'committed' | 'duplicate'> => commit.call(engine, turn)) }),
      ...(observe === undefined
        ? {}
        : {
            observe: (usage: UsageReport) =>
              this.#written({ method: 'observe', session }, () => observe.call(engine, this.#asked('observe', usage))),
          }),
      ...(tools === undefined
        ? {}
        : { tools: Array.isArray(tools) ? tools.map((tool: EngineTool) => this.#watchedTool(tool, session)) : tools }),
      ...(status === undefined
        ? {}
        : { status: () => this.#written({ method: 'status', session }, (): EngineStatus => status.call(engine)) }),
      ...(close === undefined ? {} : { close: () => call('close', (): Promise<void> => close.call(engine))(undefined) }),
    };
  }

  /** For what answers at once. */
  #written<R>(named: Named, run: () => R): R {
    try {
      const answer = this.within(run);
      this.calls.push({ ...named, request: null, answer });
      return answer;
    } catch (thrown) {
      this.calls.push({ ...named, request: null, thrown });
      throw thrown;
    }
  }

  #watchedTool(tool: EngineTool, session: string): EngineTool {
    return {
      ...tool,
      run: (input, call) =>
        this.#call({ method: `tools.${tool.name}`, session }, { input, ...call }, ({ input: given, ...asked }) => tool.run(given, asked)),
    };
  }

  #call<A, R>(named: Named, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const running = this.#writtenDown(named, this.#asked(named.method, request), run);
    this.#running.add(running);
    const over = (): void => {
      this.#running.delete(running);
    };
    running.then(over, over);
    return running;
  }

  async #writtenDown<A, R>(named: Named, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const written = { ...named, request };
    const signal = typeof request === 'object' && request !== null && 'signal' in request ? (request.signal as AbortSignal) : undefined;
    try {
      const answer = await this.patience.within(named.method, signal, () => this.within(() => run(request)));
      this.calls.push({ ...written, answer });
      return answer;
    } catch (thrown) {
      this.calls.push(thrown instanceof Late ? { ...written, late: thrown.why } : { ...written, thrown });
      throw thrown;
    }
  }

  /** As the host hands it over: frozen, whatever was added. An engine that paces itself by its deadline is told the kit's. */
  #asked<A>(method: string, request: A): A {
    if (typeof request !== 'object' || request === null) return request;
    const deadline =
      'deadlineMs' in request ? { deadlineMs: (this.bend.now?.() ?? nowMs()) + this.patience.limitMs(method) * TOLD_SHARE } : {};
    const rejected = method === 'plan' && this.bend.rejected !== undefined ? { rejected: this.bend.rejected } : {};
    return Object.freeze({ ...request, ...deadline, ...rejected, ...this.bend.unknownFields });
  }
}
