export { openStore, SqliteStore } from './sqlite-store.ts';
