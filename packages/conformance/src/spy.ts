/** The engine under test with everything that goes in and comes out written down. */
import type { CompactOutcome, CompactRequest, ContextEngine, ContextPlan, EngineDefinition, EngineHost, EngineStatus, EngineTool, PlanRequest, Summary } from '@palimpsest/contracts';
import { afterOwn, nowMs } from './time.ts';

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

/** What a check changes around the engine. */
export interface Bend {
  /** Stands in for the host's summariser. */
  summarize?: (ask: Parameters<EngineHost['summarize']>[0], usual: EngineHost['summarize']) => Promise<Summary>;
  /** Fields that a later minor version might add to a request. */
  unknownFields?: object;
  now?: () => number;
  /** Every method has at least so long: what it is asked for takes its time on this machine. */
  atLeastMs?: number;
}

/** A compaction reads the whole branch and may ask a model. */
const COMPACT_FACTOR = 4;
/** So long may a method take to stop after its signal. */
const GRACE_MS = 1_000;
/** An engine that answers at the last moment is in time. */
const TOLD_SHARE = 0.8;

export class Spy {
  readonly calls: EngineCall[] = [];
  readonly bend: Bend = {};
  /** Every engine that was made, newest last, as its author made it. */
  readonly engines: ContextEngine[] = [];
  /** The same ones behind the kit's deadline: no check calls an engine but through these, or through the host. */
  readonly watched: ContextEngine[] = [];
  /** The host's own figure for a summary's text, wrapper and all. */
  blockTokens: (text: string) => number = () => 0;
  /** Around everything that the engine runs. */
  within = <R>(work: () => R): R => work();
  readonly #patienceMs: number;
  readonly #hung: Hung;
  readonly #running = new Set<Promise<unknown>>();

  /** @param patienceMs how long a call may take; a compaction four times as long. */
  constructor(patienceMs: number, hung: Hung = new Map()) {
    this.#patienceMs = patienceMs;
    this.#hung = hung;
  }

  definition(own: EngineDefinition): EngineDefinition {
    return {
      ...own,
      factory: async (host: EngineHost<never>) => {
        this.blockTokens = (text) => host.tokens.block(text);
        const engine = await this.#call({ method: 'factory', session: host.session }, this.#host(host), (handed) => own.factory(handed as EngineHost<never>));
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

  isHung(method: string): boolean {
    return this.#hung.has(method);
  }

  /** A method that once did not answer is asked again. */
  askAgain(method: string): void {
    this.#hung.delete(method);
  }

  /** No call is under way any more: each has ended, or was given up. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #host(host: EngineHost): EngineHost {
    return Object.freeze({
      ...host,
      now: () => this.bend.now?.() ?? host.now(),
      summarize: (ask: Parameters<EngineHost['summarize']>[0]) => (this.bend.summarize === undefined ? host.summarize(ask) : this.bend.summarize(ask, host.summarize)),
    });
  }

  #watched(engine: ContextEngine, session: string): ContextEngine {
    const call = <A, R>(method: string, run: (request: A) => R | Promise<R>) => (request: A): Promise<R> => this.#call({ method, session }, request, run);
    return {
      plan: call('plan', (request: PlanRequest): ContextPlan | Promise<ContextPlan> => engine.plan(request)),
      ...(engine.compact === undefined ? {} : { compact: call('compact', (request: CompactRequest): Promise<CompactOutcome> | CompactOutcome => engine.compact?.(request) as Promise<CompactOutcome>) }),
      ...(engine.begin === undefined ? {} : { begin: call('begin', (turn: Parameters<NonNullable<ContextEngine['begin']>>[0]) => engine.begin?.(turn) ?? []) }),
      ...(engine.commit === undefined ? {} : { commit: call('commit', (turn: Parameters<NonNullable<ContextEngine['commit']>>[0]) => engine.commit?.(turn) ?? 'committed') }),
      ...(engine.observe === undefined ? {} : { observe: (usage: Parameters<NonNullable<ContextEngine['observe']>>[0]) => this.#written({ method: 'observe', session }, () => engine.observe?.(usage)) }),
      ...(engine.tools === undefined ? {} : { tools: Array.isArray(engine.tools) ? engine.tools.map((tool: EngineTool) => this.#watchedTool(tool, session)) : engine.tools }),
      ...(engine.status === undefined ? {} : { status: () => this.#written({ method: 'status', session }, () => engine.status?.() as EngineStatus) }),
      ...(engine.close === undefined ? {} : { close: () => call('close', async () => { await engine.close?.(); })(undefined) }),
    };
  }

  /** For what answers at once. */
  #written<R>(call: { readonly method: string; readonly session: string }, run: () => R): R {
    try {
      const answer = this.within(run);
      this.calls.push({ ...call, request: null, answer });
      return answer;
    } catch (thrown) {
      this.calls.push({ ...call, request: null, thrown });
      throw thrown;
    }
  }

  #watchedTool(tool: EngineTool, session: string): EngineTool {
    return { ...tool, run: (input, call) => this.#call({ method: `tools.${tool.name}`, session }, { input, ...call }, ({ input: given, ...asked }) => tool.run(given, asked)) };
  }

  #call<A, R>(named: { readonly method: string; readonly session: string }, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const running = this.#writtenDown(named, this.#asked(named.method, request), run);
    this.#running.add(running);
    const over = (): void => { this.#running.delete(running); };
    running.then(over, over);
    return running;
  }

  async #writtenDown<A, R>(named: { readonly method: string; readonly session: string }, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const written = { ...named, request };
    try {
      const hung = this.#hung.get(named.method);
      if (hung !== undefined) throw new Late(hung);
      const answer = await this.#within(named.method, request, run);
      this.calls.push({ ...written, answer });
      return answer;
    } catch (thrown) {
      this.calls.push(thrown instanceof Late ? { ...written, late: thrown.why } : { ...written, thrown });
      throw thrown;
    }
  }

  #limitMs(method: string): number {
    return Math.max(this.#patienceMs * (method === 'compact' ? COMPACT_FACTOR : 1), this.bend.atLeastMs ?? 0);
  }

  /** As the host hands it over: frozen, whatever was added. An engine that paces itself by its deadline is told the kit's. */
  #asked<A>(method: string, request: A): A {
    if (typeof request !== 'object' || request === null) return request;
    const deadline = 'deadlineMs' in request ? { deadlineMs: (this.bend.now?.() ?? nowMs()) + this.#limitMs(method) * TOLD_SHARE } : {};
    return Object.freeze({ ...request, ...deadline, ...this.bend.unknownFields });
  }

  /** What it says afterwards is nobody's fault: the signal of a call that has ended may well be given then. */
  async #within<A, R>(method: string, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const signal = typeof request === 'object' && request !== null && 'signal' in request ? (request.signal as AbortSignal) : undefined;
    const ended = new AbortController();
    let stop = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = (why: Late['why'], ms: number): void => {
        stop();
        stop = afterOwn(ms, () => {
          this.#hung.set(method, why);
          reject(new Late(why));
        });
      };
      if (signal?.aborted === true) giveUp('abort', GRACE_MS);
      else giveUp('deadline', this.#limitMs(method));
      signal?.addEventListener('abort', () => { giveUp('abort', GRACE_MS); }, { once: true, signal: ended.signal });
    });
    try {
      return await Promise.race([Promise.resolve().then(() => this.within(() => run(request))), late]);
    } finally {
      ended.abort();
      stop();
    }
  }
}

/** Methods that once did not answer, and how: they are not waited for again. */
export type Hung = Map<string, Late['why']>;

/** The engine kept the kit waiting. */
export class Late extends Error {
  readonly why: 'deadline' | 'abort';

  constructor(why: 'deadline' | 'abort') {
    super(why === 'deadline' ? 'did not answer in time' : 'did not stop when told to');
    this.why = why;
  }
}
