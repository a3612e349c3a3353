export { MemoryStore } from './memory/memory-store.ts';
export { ManualClock } from './manual-clock.ts';
export { SeededIds } from './seeded-ids.ts';
export { artifactIdOf, artifactOf, assistantDraft, callDraft, compactionDraft, customDraft, draftOf, entryIdOf, resultDraft, sessionIdOf, sessionOf, userDraft } from './drafts.ts';
export { hostileEngines } from './hostile/hostile-engines.ts';
export type { HostileEngine } from './hostile/hostile-engines.ts';
export { honest } from './hostile/honest.ts';
export { badFiles, noise } from './bad-files.ts';
export { anyBody, anyJson, anyText } from './arbitraries.ts';
