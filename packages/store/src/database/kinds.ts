import type { EntryKind } from '@palimpsest/contracts';

/** Stored by position: only ever add at the end. */
export const KINDS: readonly EntryKind[] = [
  'message',
  'prompt',
  'compaction',
  'reduction',
  'undo',
  'step',
  'branch-summary',
  'model-change',
  'engine-change',
  'custom',
  'label',
  'tombstone',
];
