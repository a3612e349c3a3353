import { ARTIFACTS, CLOCK, errors, IDS, LEASES, LOG, RENDERER, SEARCH } from '@palimpsest/contracts';
import type {
  Clock,
  EngineDefinition,
  EntryId,
  Hooks,
  Ids,
  Resolution,
  Runtime,
  Session,
  SessionId,
  Store,
  Why,
} from '@palimpsest/contracts';
import { loadConfig, type Config } from '@palimpsest/config';
import { why } from '@palimpsest/kernel';
import { registerPackages, type EngineRegistry } from '@palimpsest/plugins';
import type { Host, WiringReport } from '@palimpsest/wiring';
import { RandomIds } from './adapters/random-ids.ts';
import { storeFileOf, surroundings, type Surroundings } from './adapters/surroundings.ts';
import { SystemClock } from './adapters/system-clock.ts';
import { asRuntime } from './closed-runtime.ts';
import { sliding } from './compare/sliding.ts';
import { openModules } from './modules.ts';
import type { RuntimeOptions } from './options.ts';
import { lookUpEngine, ownEngines, ownRegistry } from './own-engines.ts';
import { requireNode } from './oldest-node.ts';
import { chooseModel, providers, type ChosenModel } from './session/models.ts';
import { sessionIdFrom } from './sessions/access.ts';
import { openKernelSession, wireOf, type OpenedSession, type SessionAsk } from './session/open-session.ts';

export type { ChosenModel } from './session/models.ts';
export type { Surroundings } from './adapters/surroundings.ts';

const DEFAULT_SYSTEM = 'You are a careful assistant. Use the tools you are given when they help.';

/**
 * Reads the configuration, wires the modules, opens the store.
 * @throws CONFIG_* for the user's mistakes; NODE_UNSUPPORTED; STORE_* and ENGINE_* when those cannot open. Nothing is left open then.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<HostRuntime> {
  const around = surroundings(options.projectDir);
  requireNode(around.nodeVersion);
  const registry = ownRegistry();
  const plugins = options.plugins ?? [];
  const engines = plugins.filter((plugin) => typeof plugin !== 'string');
  for (const engine of engines) registry.register(engine);
  const config = await loadConfig({
    ...around,
    ...configSource(options.config),
    known: { engines: [...ownEngines, ...engines], providers },
  });
  const names = new Set([...config.plugins, ...plugins.filter((plugin) => typeof plugin === 'string')]);
  // From the user's folder only: a project names packages, it does not bring them.
  await registerPackages({ names: [...names], from: around.userDir, registry });
  const storeFile = storeFileOf(config.store.path, around);
  const hooks: Hooks = { transformRequest: [], beforeCompaction: [], guardTool: [], ...options.hooks };
  const host = asRuntime(
    await openModules({ config, storeFile, clock: new SystemClock(), ids: new RandomIds(), hooks }, options.modules ?? []),
  );
  return new HostRuntime({ around, config, registry, options, host });
}

export interface RuntimeParts {
  readonly around: Surroundings;
  readonly config: Config;
  readonly registry: EngineRegistry;
  readonly options: RuntimeOptions;
  readonly host: Host;
}

/** A runtime with what its drivers need beside it: replay, import, the command line, the conformance kit. A host needs no more of it than `Runtime`. */
export class HostRuntime implements Runtime {
  readonly config: Config;
  readonly #parts: RuntimeParts;
  /** One line each: substitutions and warnings so far. */
  readonly notices: string[] = [];

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
    this.config = parts.config;
  }

  /** The ports of the one store. */
  get store(): Omit<Store, 'close'> {
    const { host } = this.#parts;
    return { log: host.get(LOG), artifacts: host.get(ARTIFACTS), leases: host.get(LEASES), search: host.get(SEARCH) };
  }

  get clock(): Clock {
    return this.#parts.host.get(CLOCK);
  }

  get ids(): Ids {
    return this.#parts.host.get(IDS);
  }

  /** Every service and what serves it, in the order of creation; `overrides` marks a module of the host that replaced a default. */
  wiring(): WiringReport {
    return this.#parts.host.describe();
  }

  registerContextEngine(definition: EngineDefinition): void {
    this.#parts.registry.register(definition);
  }

  async openSession(options: { readonly id?: string; readonly name?: string } = {}): Promise<Session> {
    const { host, options: given } = this.#parts;
    const chosen = await this.chosenModel();
    const id = options.id === undefined ? host.get(IDS).session() : sessionIdFrom(options.id);
    if (options.id !== undefined && (await host.get(LOG).session(id))?.filling === 'begun') this.notices.push(unfinished(id));
    const { session } = await this.open({ id, name: options.name ?? null, chosen, tools: given.tools ?? [] });
    return session;
  }

  /** The model that `agent.model` names. @throws MODEL_UNKNOWN. */
  chosenModel(): Promise<ChosenModel> {
    const { config, host, options } = this.#parts;
    return chooseModel(config, options.models ?? {}, host.get(CLOCK));
  }

  /** For drivers: a session on any model, with its kit. */
  async open(
    ask: Pick<SessionAsk, 'id' | 'name' | 'tools' | 'recordedTools' | 'time' | 'ids' | 'deadlines'> & {
      readonly chosen: ChosenModel;
      readonly system?: string;
      readonly engine?: string;
      readonly maxSteps?: number;
    },
  ): Promise<OpenedSession> {
    const { config, host } = this.#parts;
    const engine = await (await this.resolved(ask.engine)).load();
    if (engine.resolution.substituted) this.notices.push(substitution(engine.resolution));
    const { agent, maintenance, prompt } = config;
    const limits = {
      steps: ask.maxSteps ?? agent.maxSteps,
      recoveries: 2,
      autoContinue: maintenance.autoContinue,
      hygiene: maintenance.hygieneEnabled,
    };
    const system = ask.system ?? (prompt.system === '' ? DEFAULT_SYSTEM : prompt.system);
    const opened = await openKernelSession(host, config, { ...ask, system, engine, limits, warn: (text) => this.notices.push(text) });
    const stop = opened.session.on('engine.replaced', ({ from, to, rule }) => {
      stop(); // one loud line a session; each step's record has its own
      this.notices.push(`context engine ${from} failed (${rule}); ${to} stands in for the rest of the turn`);
    });
    return opened;
  }

  /** Where the configured engine (or `name`) comes from, place by place. No plugin code runs. */
  async resolution(name?: string): Promise<Resolution> {
    return (await this.resolved(name)).resolution;
  }

  /** What the model saw at a step of any session, rebuilt from the log: no model and no engine is opened. @throws LOG_SESSION_UNKNOWN, WHY_NO_STEP. */
  async why(session: string, step?: string | number): Promise<Why> {
    const { host } = this.#parts;
    const id = sessionIdFrom(session);
    if ((await host.get(LOG).session(id)) === null) throw errors.logSessionUnknown(id);
    return why(
      { session: id, log: host.get(LOG), artifacts: host.get(ARTIFACTS), renderer: host.get(RENDERER), wireOf },
      step as EntryId | number | undefined,
    );
  }

  close(): Promise<void> {
    return this.#parts.host.close();
  }

  private resolved(name = this.config.context.engine): ReturnType<typeof lookUpEngine> {
    const { around, registry, options } = this.#parts;
    // The reference for comparisons takes no name from anyone before it is asked for.
    if (name === sliding.manifest.name && registry.get(name) === null) registry.register(sliding);
    const { onEngineFailure: onFailure } = this.config.context;
    return lookUpEngine(name, { around, registry, onFailure, ...(options.trust === undefined ? {} : { trust: options.trust }) });
  }
}

function unfinished(id: SessionId): string {
  return `session ${id} is unfinished: the import, fork or replay that fills it still runs, or was cut off. Run again, that starts it afresh; once you write to it, it stays as it is`;
}

function substitution({ asked, name, lookups }: Resolution): string {
  return `context engine "${asked}" was not found; "${name}" stands in. ${lookups.map(({ place, why }) => `${place}: ${why}`).join('; ')}`;
}

function configSource(config: RuntimeOptions['config']): { file?: string; document?: object } {
  if (config === undefined) return {};
  return typeof config === 'string' ? { file: config } : { document: config };
}
