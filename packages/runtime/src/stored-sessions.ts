/** The entry `@palimpsest/runtime/sessions`: what needs the store and nothing else, so that it starts at once. */
export { openSessions } from './open-sessions.ts';
export { descriptorOf } from './adapters/written-to.ts';
export { writeWhole } from './adapters/write-whole.ts';
export { exportFormats, exportStored } from './sessions/export.ts';
export { forkSession } from './sessions/fork.ts';
export { listSessions, showSession } from './sessions/list.ts';
export { searchSessions } from './sessions/search.ts';
export { treeOf } from './sessions/tree.ts';
export type { OpenedStore } from './open-sessions.ts';
export type { StoreAccess } from './sessions/access.ts';
export type { ExportFormat } from './sessions/export.ts';
export type { ForkAsk, Forked } from './sessions/fork.ts';
export type { Shown, ShownEntry, ShownSession } from './sessions/list.ts';
export type { SearchAsk } from './sessions/search.ts';
export type { SessionTree, TreeBranch, TreeMark } from './sessions/tree.ts';
export type { Pieces } from './adapters/write-whole.ts';
