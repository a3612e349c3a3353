import { ARTIFACTS, CLOCK, hostToken, IDS, LEASES, LOG, SEARCH, STORE_SETTINGS, type Store } from '@palimpsest/contracts';
import { bind, defineModule } from '@palimpsest/wiring';
import { storeOf } from './open-store.ts';

/** The file behind the four ports; whoever binds it otherwise replaces the way to it, and the ports follow. */
export const STORE = hostToken<Store>('store.store');

/** The four ports over one file, which is opened by the first call to any of them. */
export const storeModule = defineModule('store', [
  bind(STORE)
    .toFactory([STORE_SETTINGS, CLOCK, IDS], (settings, clock, ids) => storeOf(settings, { clock, ids }))
    .closing((store) => store.close()),
  bind(LOG).toFactory([STORE], (store) => store.log),
  bind(ARTIFACTS).toFactory([STORE], (store) => store.artifacts),
  bind(LEASES).toFactory([STORE], (store) => store.leases),
  bind(SEARCH).toFactory([STORE], (store) => store.search),
]);
