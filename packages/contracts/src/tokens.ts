/** The tokens by which packages reach each other. Host services serve all sessions of a runtime, session services one. */
import { hostToken, sessionToken } from './token.ts';
import type { Budgeting, RouteLimits, TokenCounter } from './budget.ts';
import type { Events, Hooks } from './events.ts';
import type { SessionId } from './ids.ts';
import type { Artifacts, Leases, Log, Search } from './log/ports.ts';
import type { Model } from './request.ts';
import type { HostTool } from './session.ts';
import type { BudgetSettings, MaintenanceSettings, StoreSettings } from './settings.ts';
import type {
  Clock,
  GuardedEngine,
  GuardSettings,
  Ids,
  Inbox,
  Journal,
  Ladder,
  Renderer,
  SessionIds,
  SessionTime,
  Toolbox,
  TurnLimits,
  Views,
} from './turn.ts';

export const CLOCK = hostToken<Clock>('host.clock');
export const IDS = hostToken<Ids>('host.ids');
export const HOOKS = hostToken<Hooks>('host.hooks');

export const LOG = hostToken<Log>('store.log');
export const ARTIFACTS = hostToken<Artifacts>('store.artifacts');
export const LEASES = hostToken<Leases>('store.leases');
export const SEARCH = hostToken<Search>('store.search');

export const TOKEN_COUNTER = hostToken<TokenCounter>('budget.counter');
export const BUDGETING = hostToken<Budgeting>('budget.budgeting');
export const RENDERER = hostToken<Renderer>('prompt.renderer');

export const BUDGET_SETTINGS = hostToken<BudgetSettings>('config.budget');
export const MAINTENANCE_SETTINGS = hostToken<MaintenanceSettings>('config.maintenance');
export const STORE_SETTINGS = hostToken<StoreSettings>('config.store');

export const SESSION_ID = sessionToken<SessionId>('session.id');
export const SESSION_IDS = sessionToken<SessionIds>('session.ids');
export const SESSION_TIME = sessionToken<SessionTime>('session.time');
export const MODEL = sessionToken<Model>('session.model');
export const ROUTE_LIMITS = sessionToken<RouteLimits>('session.limits');
/** The system text in force from the next step on. */
export const SYSTEM_TEXT = sessionToken<string>('session.system-text');
export const HOST_TOOLS = sessionToken<readonly HostTool[]>('session.tools');
export const EVENTS = sessionToken<Events>('session.events');
export const INBOX = sessionToken<Inbox>('session.inbox');
export const GUARD_SETTINGS = sessionToken<GuardSettings>('session.guard-settings');
export const TURN_LIMITS = sessionToken<TurnLimits>('session.turn-limits');
export const JOURNAL = sessionToken<Journal>('kernel.journal');
export const VIEWS = sessionToken<Views>('kernel.views');
export const TOOLBOX = sessionToken<Toolbox>('kernel.toolbox');
export const GUARDED_ENGINE = sessionToken<GuardedEngine>('kernel.engine');
export const LADDER = sessionToken<Ladder>('maintenance.ladder');
