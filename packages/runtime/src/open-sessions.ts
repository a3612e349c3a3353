import { storeSettings } from '@palimpsest/config/store';
import { DirectLink } from '@palimpsest/store/direct';
import { openOver } from '@palimpsest/store/sqlite';
import { RandomIds } from './adapters/random-ids.ts';
import { storeFileOf, surroundings } from './adapters/surroundings.ts';
import { SystemClock } from './adapters/system-clock.ts';
import { requireNode } from './oldest-node.ts';
import type { StoreAccess } from './sessions/access.ts';

export interface OpenedStore extends StoreAccess {
  close(): Promise<void>;
}

/** The configured store alone, for reading and copying sessions: no engine, model or counter is loaded. @throws CONFIG_*, STORE_*. */
export async function openSessions(options: { readonly config?: string } = {}): Promise<OpenedStore> {
  const around = surroundings();
  requireNode(around.nodeVersion);
  const { path, durability } = await storeSettings({ ...around, ...(options.config === undefined ? {} : { file: options.config }) });
  const clock = new SystemClock();
  const settings = { file: storeFileOf(path, around), durability };
  const ids = new RandomIds();
  const store = await openOver({ clock, ids, link: new DirectLink(settings) });
  return { store, clock, ids, close: () => store.close() };
}
