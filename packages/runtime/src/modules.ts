import {
  AGENT_SETTINGS, BUDGET_SETTINGS, CLOCK, GUARD_SETTINGS, HOOKS, HOST_TOOLS, IDS, MAINTENANCE_SETTINGS, MODEL, PROMPT_SETTINGS, ROUTE_LIMITS, SESSION_ID, STORE_SETTINGS, SYSTEM_TEXT, TURN_LIMITS,
} from '@palimpsest/contracts';
import type { Clock, Hooks, Ids } from '@palimpsest/contracts';
import { budgetModule } from '@palimpsest/budget';
import type { Config } from '@palimpsest/config';
import { kernelModule } from '@palimpsest/kernel';
import { maintenanceModule } from '@palimpsest/maintenance';
import { promptModule } from '@palimpsest/prompt';
import { storeModule } from '@palimpsest/store';
import { bind, defineModule, openHost, type Host } from '@palimpsest/wiring';

export interface HostValues { readonly config: Config; readonly storeFile: string; readonly clock: Clock; readonly ids: Ids; readonly hooks: Hooks }

/** What a session is given beside its modules; {@link openHost} refuses one that lacks any. */
export const sessionValues = [SESSION_ID, MODEL, ROUTE_LIMITS, SYSTEM_TEXT, HOST_TOOLS, GUARD_SETTINGS, TURN_LIMITS] as const;

/** The default modules, wired. The only place that knows them all. */
export function openModules({ config, storeFile, clock, ids, hooks }: HostValues): Host {
  const settings = defineModule('runtime', [
    bind(CLOCK).toValue(clock),
    bind(IDS).toValue(ids),
    bind(HOOKS).toValue(hooks),
    bind(AGENT_SETTINGS).toValue(config.agent),
    bind(BUDGET_SETTINGS).toValue(config.budget),
    bind(MAINTENANCE_SETTINGS).toValue(config.maintenance),
    bind(PROMPT_SETTINGS).toValue(config.prompt),
    bind(STORE_SETTINGS).toValue({ file: storeFile, durability: config.store.durability }),
  ]);
  return openHost([settings, storeModule, budgetModule, promptModule, maintenanceModule, kernelModule], { sessionValues });
}
