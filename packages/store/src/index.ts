export { openStore, storeOf } from './open-store.ts';
export { openOver, SqliteStore } from './sqlite-store.ts';
export type { StoreParts } from './sqlite-store.ts';
export { STORE, storeModule } from './module.ts';
export type { Link } from './link.ts';
export type { Appended, AppendRows, DraftRow, EntryPage, Operation, StoreOperations } from './worker/protocol.ts';
