import {
  AGENT_SETTINGS, ARTIFACTS, BUDGET_SETTINGS, CLOCK, GUARD_SETTINGS, HOOKS, HOST_TOOLS, IDS, LEASES, LOG, MAINTENANCE_SETTINGS, MODEL, PROMPT_SETTINGS, ROUTE_LIMITS, SEARCH, SESSION_ID, SESSION_TIME, STORE_SETTINGS, SYSTEM_TEXT, TURN_LIMITS,
} from '@palimpsest/contracts';
import type { Clock, Hooks, Ids, Store } from '@palimpsest/contracts';
import { budgetModule } from '@palimpsest/budget';
import type { Config } from '@palimpsest/config';
import { BoundedHooks, kernelModule } from '@palimpsest/kernel';
import { maintenanceModule } from '@palimpsest/maintenance';
import { promptModule } from '@palimpsest/prompt';
import { openStore } from '@palimpsest/store';
import { afterFailedOpen, bind, defineModule, openHost, type Host } from '@palimpsest/wiring';

export interface HostValues { readonly config: Config; readonly storeFile: string; readonly clock: Clock; readonly ids: Ids; readonly hooks: Hooks }

/** What a session is given beside its modules; {@link openHost} refuses one that lacks any. */
export const sessionValues = [SESSION_ID, SESSION_TIME, MODEL, ROUTE_LIMITS, SYSTEM_TEXT, HOST_TOOLS, GUARD_SETTINGS, TURN_LIMITS] as const;

/** The default modules, wired, over an opened store. The only place that knows them all. @throws STORE_*, WIRING_*; nothing is left open then. */
export async function openModules(values: HostValues): Promise<Host> {
  const store = await openStore({ file: values.storeFile, durability: values.config.store.durability, clock: values.clock });
  try {
    return wired(values, store);
  } catch (error) {
    await afterFailedOpen(error);
    await store.close();
    throw error;
  }
}

function wired({ config, storeFile, clock, ids, hooks }: HostValues, store: Store): Host {
  const ports = defineModule('store', [
    bind(LOG).toFactory([], () => store.log).closing(() => store.close()),
    bind(ARTIFACTS).toValue(store.artifacts),
    bind(LEASES).toValue(store.leases),
    bind(SEARCH).toValue(store.search),
  ]);
  const settings = defineModule('runtime', [
    bind(CLOCK).toValue(clock),
    bind(IDS).toValue(ids),
    bind(HOOKS).toValue(new BoundedHooks(hooks, clock)),
    bind(AGENT_SETTINGS).toValue(config.agent),
    bind(BUDGET_SETTINGS).toValue(config.budget),
    bind(MAINTENANCE_SETTINGS).toValue(config.maintenance),
    bind(PROMPT_SETTINGS).toValue(config.prompt),
    bind(STORE_SETTINGS).toValue({ file: storeFile, durability: config.store.durability }),
  ]);
  return openHost([settings, ports, budgetModule, promptModule, maintenanceModule, kernelModule], { sessionValues });
}
