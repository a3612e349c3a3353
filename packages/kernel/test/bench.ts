import {
  ARTIFACTS,
  BUDGETING,
  CLOCK,
  GUARD_SETTINGS,
  HOOKS,
  HOST_TOOLS,
  IDS,
  LADDER,
  LEASES,
  LOG,
  MODEL,
  RENDERER,
  ROUTE_LIMITS,
  SESSION_ID,
  SESSION_IDS,
  SYSTEM_TEXT,
  TOKEN_COUNTER,
  TURN_LIMITS,
} from '@palimpsest/contracts';
import type {
  Answer,
  AssistantPart,
  Climbed,
  ContextEngine,
  EngineClaims,
  Entry,
  GuardSettings,
  HostTool,
  Hooks,
  Ladder,
  Model,
  ModelFault,
  ModelRequest,
  PlanRequest,
  SessionId,
} from '@palimpsest/contracts';
import { ManualClock, MemoryStore, SeededIds, sessionOf } from '@palimpsest/testing';
import { bind, defineModule, openHost } from '@palimpsest/wiring';
import { BoundedHooks, KERNEL_INBOX, kernelModule, KernelSession, PROMPT_KEEPER, TURN_KIT, type TurnKit } from '../src/index.ts';
import { evenBudgeting, fourCharacters, plainRenderer } from './plain-prompt.ts';

/** What a session of a test is opened with; everything has a default. */
export interface OpenAsk {
  readonly id?: string;
  readonly model?: Model;
  readonly engine?: Partial<ContextEngine>;
  /** `name@version` of the engine. */
  readonly engineName?: string;
  readonly guard?: Partial<GuardSettings>;
  readonly tools?: readonly HostTool[];
  readonly system?: string;
  readonly windowTokens?: number;
  readonly climb?: Ladder['climb'];
}

export interface Opened {
  readonly session: KernelSession;
  readonly kit: TurnKit;
}

/** One store and one clock with sessions of the kernel over them: no other package takes part, and time moves when told to. */
export class KernelBench {
  readonly clock = new ManualClock();
  readonly store = new MemoryStore({ clock: this.clock });
  readonly hooks = {
    transformRequest: [] as Hooks['transformRequest'][number][],
    beforeCompaction: [],
    guardTool: [] as Hooks['guardTool'][number][],
  };
  private owners = 0;

  /** As if by a process of its own: another owner of leases, another event bus. */
  async open(ask: OpenAsk = {}): Promise<Opened> {
    const { log, artifacts } = this.store;
    const id = (ask.id ?? 's') as SessionId;
    await log.open(sessionOf(id));
    const ids = new SeededIds(1, `p${String((this.owners += 1))}-`);
    const host = openHost([this.ports(ids), kernelModule], {
      sessionValues: [SESSION_ID, SESSION_IDS, MODEL, ROUTE_LIMITS, SYSTEM_TEXT, HOST_TOOLS, GUARD_SETTINGS, TURN_LIMITS, LADDER],
    });
    const scope = host.openSession([
      bind(SESSION_ID).toValue(id),
      bind(SESSION_IDS).toValue(ids),
      bind(MODEL).toValue(ask.model ?? new TalkingModel()),
      bind(SYSTEM_TEXT).toValue(ask.system ?? 'sys'),
      bind(HOST_TOOLS).toValue(ask.tools ?? []),
      bind(ROUTE_LIMITS).toValue({
        window: { tokens: ask.windowTokens ?? 100_000, origin: 'config' },
        maxOutputTokens: null,
        inputCap: null,
      }),
      bind(GUARD_SETTINGS).toValue(guardOf(ask)),
      bind(TURN_LIMITS).toValue({ steps: 8, recoveries: 2, autoContinue: false, hygiene: false }),
      bind(LADDER).toValue({ climb: ask.climb ?? (() => Promise.resolve(idle)) }),
    ]);
    const kit = scope.get(TURN_KIT);
    await kit.journal.refresh();
    await scope.get(PROMPT_KEEPER).prompt();
    const session = new KernelSession({
      id,
      kit,
      inbox: scope.get(KERNEL_INBOX),
      prompts: scope.get(PROMPT_KEEPER),
      log,
      artifacts,
      renderer: plainRenderer,
      wireOf: () => Promise.resolve({ name: 'openai-chat', body: (request) => Promise.resolve(JSON.stringify(request)) }),
      resolution: {
        asked: 'test',
        name: 'test',
        version: '1',
        resolvedFrom: 'registry',
        substituted: false,
        claims: noClaims,
        lookups: [],
      },
      close: () => host.close(),
    });
    return { session, kit };
  }

  async entries(id = 's'): Promise<readonly Entry[]> {
    return this.store.log.entries(id as SessionId, { limit: 10_000 });
  }

  private ports(ids: SeededIds): ReturnType<typeof defineModule> {
    const { clock, store } = this;
    return defineModule('bench', [
      bind(LOG).toValue(store.log),
      bind(ARTIFACTS).toValue(store.artifacts),
      bind(LEASES).toValue(store.leases),
      bind(CLOCK).toValue(clock),
      bind(IDS).toValue(ids),
      bind(HOOKS).toValue(new BoundedHooks(this.hooks, clock)),
      bind(TOKEN_COUNTER).toValue(fourCharacters),
      bind(BUDGETING).toValue(evenBudgeting),
      bind(RENDERER).toValue(plainRenderer),
    ]);
  }
}

export const idle: Climbed = { changed: false, declined: [] };

/** A complete plan: everything as it is shown now. */
export const whole = ({ branch }: PlanRequest): ReturnType<ContextEngine['plan']> => ({
  segments: [{ through: branch.last, show: 'entries' }],
  estimateTokens: branch.shownTokens,
});

export const noClaims: EngineClaims = { owns: [], needs: [], permissions: [] };

function guardOf({ engine = {}, engineName = 'test@1', guard = {} }: OpenAsk): GuardSettings {
  return {
    chosen: { name: engineName, engine: { plan: whole, ...engine }, claims: noClaims },
    fallback: null,
    substitution: null,
    planMs: 10_000,
    compactMs: 120_000,
    callMs: 10_000,
    ...guard,
  };
}

type Said = string | { readonly calls: readonly string[] } | { readonly fault: ModelFault } | { readonly parts: readonly AssistantPart[] };
type Answering = (request: ModelRequest, options: Parameters<Model['call']>[1], call: number) => Said | Answer | Promise<Said | Answer>;

/** Answers with what a function says, and keeps what it was sent. */
export class TalkingModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly route: string;
  private readonly answering: Answering;

  constructor(answering: Answering = () => 'ok', route = 'openai-chat:test/model') {
    this.answering = answering;
    this.route = route;
  }

  async call(request: ModelRequest, options: Parameters<Model['call']>[1]): Promise<Answer> {
    this.requests.push(structuredClone(request));
    const said = await this.answering(request, options, this.requests.length - 1);
    return typeof said === 'object' && 'kind' in said ? said : answerOf(said, this.requests.length);
  }
}

function answerOf(said: Said, at: number): Answer {
  if (typeof said === 'object' && 'fault' in said) return { kind: 'failed', fault: said.fault };
  const calls =
    typeof said === 'object' && 'calls' in said
      ? said.calls.map((name, index) => ({ id: `c${String(at)}-${String(index)}`, name, input: {} }))
      : [];
  const content: AssistantPart[] =
    typeof said === 'string'
      ? [{ type: 'text', text: said }]
      : 'parts' in said
        ? [...said.parts]
        : calls.map(({ id, name }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: {} }));
  return {
    kind: 'reply',
    message: { role: 'assistant', content },
    calls,
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    finish: calls.length > 0 ? 'tool-calls' : 'stop',
  };
}

export function tool(name: string, run: HostTool['run']): HostTool {
  return { name, description: name, inputSchema: { type: 'object' }, run };
}

/** Never settles. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
