import {
  BUDGET_SETTINGS,
  CLOCK,
  GUARD_SETTINGS,
  HOOKS,
  HOST_TOOLS,
  IDS,
  LOG,
  MAINTENANCE_SETTINGS,
  MODEL,
  ROUTE_LIMITS,
  SESSION_ID,
  SESSION_IDS,
  SESSION_TIME,
  STORE_SETTINGS,
  SYSTEM_TEXT,
  TURN_LIMITS,
} from '@palimpsest/contracts';
import type { Clock, Hooks, Ids } from '@palimpsest/contracts';
import { budgetModule } from '@palimpsest/budget';
import type { Config } from '@palimpsest/config';
import { BoundedHooks, kernelModule } from '@palimpsest/kernel';
import { maintenanceModule } from '@palimpsest/maintenance';
import { promptModule } from '@palimpsest/prompt';
import { storeModule } from '@palimpsest/store';
import { afterFailedOpen, bind, defineModule, openHost, type Host, type Module } from '@palimpsest/wiring';
import { withHostModules } from './host-modules.ts';

export interface HostValues {
  readonly config: Config;
  readonly storeFile: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hooks: Hooks;
}

/** What a session is given beside its modules; {@link openHost} refuses one that lacks any. */
export const sessionValues = [
  SESSION_ID,
  SESSION_IDS,
  SESSION_TIME,
  MODEL,
  ROUTE_LIMITS,
  SYSTEM_TEXT,
  HOST_TOOLS,
  GUARD_SETTINGS,
  TURN_LIMITS,
] as const;

/** The default modules, and the host's behind them, wired over an opened store. The only place that knows them all. @throws STORE_*, WIRING_*; nothing is left open then. */
export async function openModules(values: HostValues, given: readonly Module[]): Promise<Host> {
  const host = await wired(values, given);
  try {
    // A store opens its file with the first call: now, and not in the middle of a session.
    await host.get(LOG).sessions({ limit: 1 });
    return host;
  } catch (error) {
    await host.close();
    throw error;
  }
}

async function wired(values: HostValues, given: readonly Module[]): Promise<Host> {
  const defaults = [valuesModule(values), storeModule, budgetModule, promptModule, maintenanceModule, kernelModule];
  try {
    return openHost(withHostModules(defaults, given), { sessionValues });
  } catch (error) {
    await afterFailedOpen(error);
    throw error;
  }
}

function valuesModule({ config, storeFile, clock, ids, hooks }: HostValues): Module {
  return defineModule('runtime', [
    bind(CLOCK).toValue(clock),
    bind(IDS).toValue(ids),
    bind(HOOKS).toValue(new BoundedHooks(hooks, clock)),
    bind(BUDGET_SETTINGS).toValue(config.budget),
    bind(MAINTENANCE_SETTINGS).toValue(config.maintenance),
    bind(STORE_SETTINGS).toValue({ file: storeFile, durability: config.store.durability }),
  ]);
}
