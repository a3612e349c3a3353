export { openStore, SqliteStore } from './sqlite-store.ts';
export { storeModule } from './module.ts';
