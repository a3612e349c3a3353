import {
  ARTIFACTS,
  CLOCK,
  GUARD_SETTINGS,
  HOST_TOOLS,
  IDS,
  isPalimpsestError,
  LOG,
  MODEL,
  RENDERER,
  ROUTE_LIMITS,
  SEARCH,
  SESSION_ID,
  SESSION_IDS,
  SESSION_TIME,
  SYSTEM_TEXT,
  TOKEN_COUNTER,
  TURN_LIMITS,
} from '@palimpsest/contracts';
import type {
  EngineDefinition,
  EngineSeat,
  GuardSettings,
  HostTool,
  Resolution,
  SessionId,
  SessionIds,
  SessionTime,
  ToolSchema,
  TurnLimits,
  Wire,
} from '@palimpsest/contracts';
import type { Config } from '@palimpsest/config';
import { KERNEL_INBOX, KernelSession, PROMPT_KEEPER, TURN_KIT, type TurnKit } from '@palimpsest/kernel';
import { openWire, parseRoute } from '@palimpsest/models';
import { bind, type Host } from '@palimpsest/wiring';
import { builtIn } from '../own-engines.ts';
import { engineHost } from './engine-host.ts';
import { EngineLog } from './engine-log.ts';
import { madeEngine } from './made-engine.ts';
import type { ChosenModel } from './models.ts';
import { recordedTools } from './recorded-tools.ts';

export interface SessionAsk {
  readonly id: SessionId;
  readonly name: string | null;
  readonly chosen: ChosenModel;
  readonly system: string;
  readonly tools?: readonly HostTool[];
  /** Of a recording; see `recordedTools`. */
  readonly recordedTools?: readonly ToolSchema[];
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
export interface OpenedSession {
  readonly session: KernelSession;
  readonly kit: TurnKit;
}

/** Makes the session's engine and its services. Nothing of it is shared with another session. */
export async function openKernelSession(host: Host, config: Config, ask: SessionAsk): Promise<OpenedSession> {
  const [log, clock] = [host.get(LOG), host.get(CLOCK)];
  await log.open({ id: ask.id, name: ask.name, parent: null, created: new Date(clock.now()).toISOString() });
  const engineLog = new EngineLog(ask.id, ask.warn);
  const { guard, resolution } = await seated(host, config, ask, engineLog);
  const scope = host.openSession([
    bind(SESSION_ID).toValue(ask.id),
    bind(SESSION_TIME).toValue(ask.time ?? clock),
    bind(SESSION_IDS).toValue(ask.ids ?? host.get(IDS)),
    bind(MODEL).toValue(ask.chosen.model),
    bind(ROUTE_LIMITS).toValue(ask.chosen.limits),
    bind(SYSTEM_TEXT).toValue(ask.system),
    bind(HOST_TOOLS).toValue(toolsOf(ask, guard)),
    bind(GUARD_SETTINGS).toValue(guard),
    bind(TURN_LIMITS).toValue(ask.limits),
  ]);
  const kit = scope.get(TURN_KIT);
  engineLog.announceTo(kit.events);
  await kit.journal.refresh();
  // Fixed costs are known before anything is judged.
  await scope.get(PROMPT_KEEPER).prompt();
  const session = new KernelSession({
    id: ask.id,
    kit,
    inbox: scope.get(KERNEL_INBOX),
    prompts: scope.get(PROMPT_KEEPER),
    log,
    artifacts: host.get(ARTIFACTS),
    renderer: host.get(RENDERER),
    wireOf,
    resolution,
    close: () => scope.close(),
  });
  return { session, kit };
}

function toolsOf({ tools = [], recordedTools: recorded = [], warn }: SessionAsk, { chosen }: GuardSettings): readonly HostTool[] {
  const shown = recordedTools(recorded, chosen.engine);
  for (const name of shown.doubled) warn(`the recording has two tools called "${name}" (as a model is told); the first is shown`);
  return [...tools, ...shown.tools];
}

/** The wire a route is written in. */
export function wireOf(route: string): Promise<Wire> {
  return openWire(parseRoute(route).wire);
}

interface Seated {
  readonly guard: GuardSettings;
  readonly resolution: Resolution;
}

/** The seats of a session's engines. One that cannot be made is stood in for by the built-in engine, unless the policy says `fail`. */
async function seated(host: Host, config: Config, ask: SessionAsk, log: EngineLog): Promise<Seated> {
  const { definition, resolution } = ask.engine;
  const deadlines = ask.deadlines ?? DEADLINES;
  const take = (one: EngineDefinition): Promise<EngineSeat> =>
    seat(host, config, { session: ask.id, log, definition: one, callMs: deadlines.callMs });
  const own = definition.manifest.name === builtIn.manifest.name;
  const spare = own || config.context.onEngineFailure === 'fail' ? null : builtIn;
  const chosen = await take(definition).catch((error: unknown) => {
    if (spare === null || !isPalimpsestError(error, 'ENGINE_FAILED')) throw error;
    return error;
  });
  const fallback = spare === null ? null : await take(spare);
  if (!isPalimpsestError(chosen))
    return { guard: { chosen, fallback, substitution: substitutionOf(resolution), ...deadlines }, resolution };
  if (fallback === null) throw chosen;
  log.of(labelOf(definition)).warn(`${chosen.message}; ${fallback.name} stands in`);
  const substitution = {
    what: `engine ${labelOf(definition)}`,
    why: `create: ${String(chosen.details['rule'])}; ${fallback.name} stands in`,
  };
  return { guard: { chosen: fallback, fallback: null, substitution, ...deadlines }, resolution: stoodIn(resolution, chosen.message) };
}

function substitutionOf({ asked, name, version, substituted }: Resolution): GuardSettings['substitution'] {
  return substituted ? { what: `engine ${asked}`, why: `was not to be had; ${name}@${version} stands in` } : null;
}

/** The engine was found, and is not to be had all the same. */
function stoodIn(resolution: Resolution, why: string): Resolution {
  const { name, version, owns, needs, permissions, marks } = builtIn.manifest;
  const claims = { owns, needs, permissions, ...(marks === undefined ? {} : { marks }) };
  const lookups = resolution.lookups.map((lookup) => (lookup.found ? { ...lookup, found: false, why } : lookup));
  return Object.freeze({ asked: resolution.asked, name, version, resolvedFrom: 'built-in', substituted: true, claims, lookups });
}

interface SeatAsk {
  readonly session: SessionId;
  readonly log: EngineLog;
  readonly definition: EngineDefinition;
  readonly callMs: number;
}

async function seat(host: Host, config: Config, { session, log, definition, callMs }: SeatAsk): Promise<EngineSeat> {
  const [label, clock] = [labelOf(definition), host.get(CLOCK)];
  const options = config.context.engineOptions(definition.manifest.name).parse(definition);
  const given = engineHost({
    session,
    options,
    clock,
    counter: host.get(TOKEN_COUNTER),
    renderer: host.get(RENDERER),
    artifacts: host.get(ARTIFACTS),
    search: host.get(SEARCH),
    log: log.of(label),
  });
  return { name: label, engine: await madeEngine(definition, given, { clock, callMs }), claims: definition.manifest };
}

function labelOf({ manifest }: EngineDefinition): string {
  return `${manifest.name}@${manifest.version}`;
}
