import {
  ARTIFACTS, CLOCK, errors, GUARD_SETTINGS, HOST_TOOLS, IDS, LOG, MODEL, RENDERER, ROUTE_LIMITS, SEARCH, SESSION_ID, SESSION_IDS, SESSION_TIME, SYSTEM_TEXT, TOKEN_COUNTER, TURN_LIMITS,
} from '@palimpsest/contracts';
import type { EngineDefinition, EngineSeat, GuardSettings, HostTool, Resolution, SessionId, SessionIds, SessionTime, TurnLimits, Wire } from '@palimpsest/contracts';
import type { Config } from '@palimpsest/config';
import { KERNEL_INBOX, KernelSession, PROMPT_KEEPER, TURN_KIT, type TurnKit } from '@palimpsest/kernel';
import { openWire, parseRoute } from '@palimpsest/models';
import { bind, type Host } from '@palimpsest/wiring';
import { builtIn } from '../own-engines.ts';
import { engineHost } from './engine-host.ts';
import { EngineLog } from './engine-log.ts';
import type { ChosenModel } from './models.ts';

export interface SessionAsk {
  readonly id: SessionId;
  readonly name: string | null;
  readonly chosen: ChosenModel;
  readonly system: string;
  readonly tools: readonly HostTool[];
  readonly engine: { readonly definition: EngineDefinition; readonly resolution: Resolution };
  readonly limits: TurnLimits;
  /** Default: the clock's. */
  readonly time?: SessionTime;
  /** Default: the host's. */
  readonly ids?: SessionIds;
  /** How long an engine may take; default: 10 s for a plan, two minutes for a compaction, 10 s for the rest. */
  readonly deadlines?: EngineDeadlines;
  readonly warn: (text: string) => void;
}
export type EngineDeadlines = Pick<GuardSettings, 'planMs' | 'compactMs' | 'callMs'>;

const DEADLINES: EngineDeadlines = { planMs: 10_000, compactMs: 120_000, callMs: 10_000 };

/** A session with the kit it is made of; the kit is for the runtime's own drivers. */
export interface OpenedSession { readonly session: KernelSession; readonly kit: TurnKit }

/** Makes the session's engine and its services. Nothing of it is shared with another session. */
export async function openKernelSession(host: Host, config: Config, ask: SessionAsk): Promise<OpenedSession> {
  const [log, clock] = [host.get(LOG), host.get(CLOCK)];
  await log.open({ id: ask.id, name: ask.name, parent: null, created: new Date(clock.now()).toISOString() });
  const engineLog = new EngineLog(ask.id, ask.warn);
  const guard = await guardSettings(host, config, ask, engineLog);
  const scope = host.openSession([
    bind(SESSION_ID).toValue(ask.id), bind(SESSION_TIME).toValue(ask.time ?? clock), bind(SESSION_IDS).toValue(ask.ids ?? host.get(IDS)), bind(MODEL).toValue(ask.chosen.model), bind(ROUTE_LIMITS).toValue(ask.chosen.limits), bind(SYSTEM_TEXT).toValue(ask.system),
    bind(HOST_TOOLS).toValue(ask.tools), bind(GUARD_SETTINGS).toValue(guard), bind(TURN_LIMITS).toValue(ask.limits),
  ]);
  const kit = scope.get(TURN_KIT);
  engineLog.announceTo(kit.events);
  await kit.journal.refresh();
  // Fixed costs are known before anything is judged.
  await scope.get(PROMPT_KEEPER).prompt();
  const session = new KernelSession({
    id: ask.id, kit, inbox: scope.get(KERNEL_INBOX), prompts: scope.get(PROMPT_KEEPER), log, artifacts: host.get(ARTIFACTS), renderer: host.get(RENDERER), wireOf, resolution: ask.engine.resolution, close: () => scope.close(),
  });
  return { session, kit };
}

/** The wire a route is written in. */
export function wireOf(route: string): Promise<Wire> {
  return openWire(parseRoute(route).wire);
}

async function guardSettings(host: Host, config: Config, ask: SessionAsk, log: EngineLog): Promise<GuardSettings> {
  const { definition } = ask.engine;
  const seated = (one: EngineDefinition): Promise<EngineSeat> => seat(host, config, { session: ask.id, log, definition: one });
  const chosen = await seated(definition);
  const own = definition.manifest.name === builtIn.manifest.name;
  const fallback = own || config.context.onEngineFailure === 'fail' ? null : await seated(builtIn);
  return { chosen, fallback, substitution: substitutionOf(ask.engine.resolution), ...(ask.deadlines ?? DEADLINES) };
}

function substitutionOf({ asked, name, version, substituted }: Resolution): GuardSettings['substitution'] {
  return substituted ? { what: `engine ${asked}`, why: `was not to be had; ${name}@${version} stands in` } : null;
}

interface SeatAsk { readonly session: SessionId; readonly log: EngineLog; readonly definition: EngineDefinition }

async function seat(host: Host, config: Config, { session, log, definition }: SeatAsk): Promise<EngineSeat> {
  const { name, version } = definition.manifest;
  const label = `${name}@${version}`;
  const options = config.context.engineOptions(name).parse(definition);
  const made = engineHost({
    session, options, clock: host.get(CLOCK), counter: host.get(TOKEN_COUNTER), renderer: host.get(RENDERER), artifacts: host.get(ARTIFACTS), search: host.get(SEARCH), log: log.of(label),
  });
  try {
    return { name: label, engine: await definition.factory(made), claims: definition.manifest };
  } catch (cause) {
    throw errors.engineFailed(name, 'create', 'throws', cause);
  }
}
