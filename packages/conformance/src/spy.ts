/** The engine under test with everything that goes in and comes out written down. */
import type { CompactOutcome, CompactRequest, ContextEngine, ContextPlan, EngineDefinition, EngineHost, EngineStatus, EngineTool, PlanRequest, Summary } from '@palimpsest/contracts';
import { after } from './time.ts';

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
}

/** A compaction reads the whole branch and may ask a model. */
const COMPACT_FACTOR = 4;
/** So long may a method take to stop after its signal. */
const GRACE_MS = 1_000;

export class Spy {
  readonly calls: EngineCall[] = [];
  readonly bend: Bend = {};
  /** Every engine that was made, newest last, as its author made it. */
  readonly engines: ContextEngine[] = [];
  /** The same ones behind the kit's deadline: no check calls an engine but through these, or through the host. */
  readonly watched: ContextEngine[] = [];
  /** The host's own figure for a summary's text, wrapper and all. */
  blockTokens: (text: string) => number = () => 0;
  readonly #patienceMs: number;
  readonly #hung: Hung;

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
      const answer = run();
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

  async #call<A, R>({ method, session }: { readonly method: string; readonly session: string }, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const written = { method, session, request };
    try {
      const hung = this.#hung.get(method);
      if (hung !== undefined) throw new Late(hung);
      const answer = await this.#within(method, this.#asked(request), run);
      this.calls.push({ ...written, answer });
      return answer;
    } catch (thrown) {
      this.calls.push(thrown instanceof Late ? { ...written, late: thrown.why } : { ...written, thrown });
      throw thrown;
    }
  }

  /** As the host hands it over: frozen, whatever was added. */
  #asked<A>(request: A): A {
    return this.bend.unknownFields === undefined || typeof request !== 'object' ? request : Object.freeze({ ...request, ...this.bend.unknownFields });
  }

  async #within<A, R>(method: string, request: A, run: (request: A) => R | Promise<R>): Promise<R> {
    const signal = typeof request === 'object' && request !== null && 'signal' in request ? (request.signal as AbortSignal) : undefined;
    let stop = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const giveUp = (why: Late['why'], ms: number): void => {
        stop();
        stop = after(ms, () => {
          this.#hung.set(method, why);
          reject(new Late(why));
        });
      };
      giveUp('deadline', this.#patienceMs * (method === 'compact' ? COMPACT_FACTOR : 1));
      if (signal?.aborted === true) giveUp('abort', GRACE_MS);
      signal?.addEventListener('abort', () => { giveUp('abort', GRACE_MS); }, { once: true });
    });
    try {
      return await Promise.race([Promise.resolve().then(() => run(request)), late]);
    } finally {
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
