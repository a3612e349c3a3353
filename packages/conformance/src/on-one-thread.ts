import { CLOCK, IDS, STORE_SETTINGS } from '@palimpsest/contracts';
import { bind, defineModule } from '@palimpsest/runtime';
import { SqliteStore, STORE } from '@palimpsest/store';
import { DirectLink } from '@palimpsest/store/direct';

/** A runtime's database on the caller's own thread: the same file, without a thread to start for each check. */
export const onOneThread = defineModule('conformance', [
  bind(STORE)
    .toFactory([STORE_SETTINGS, CLOCK, IDS], (settings, clock, ids) => new SqliteStore({ clock, ids, link: new DirectLink(settings) }))
    .closing((store) => store.close()),
]);
