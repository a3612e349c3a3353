import type { Store, StoreSettings } from '@palimpsest/contracts';
import { openOver, SqliteStore, type StoreParts } from './sqlite-store.ts';
import { WorkerLink } from './worker/worker-link.ts';

/** One file behind one worker thread, which starts with the first call. */
export function storeOf(settings: StoreSettings, parts: Omit<StoreParts, 'link'>): SqliteStore {
  return new SqliteStore({ ...parts, link: new WorkerLink(settings) });
}

/** The same with its file open. @throws STORE_OPEN_FAILED, STORE_TOO_NEW; then nothing is left running. */
export function openStore({ file, durability, ...parts }: StoreSettings & Omit<StoreParts, 'link'>): Promise<Store> {
  return openOver({ ...parts, link: new WorkerLink({ file, durability }) });
}
