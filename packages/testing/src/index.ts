export { MemoryStore } from './memory/memory-store.ts';
export { ManualClock } from './manual-clock.ts';
export { SeededIds } from './seeded-ids.ts';
export { artifactIdOf, artifactOf, assistantDraft, callDraft, compactionDraft, customDraft, draftOf, entryIdOf, resultDraft, sessionIdOf, sessionOf, userDraft } from './drafts.ts';
export type { CallOf, DraftOptions } from './drafts.ts';
export { badFiles, noise } from './bad-files.ts';
export { anyBody, anyDraft, anyJson, anyText } from './arbitraries.ts';
