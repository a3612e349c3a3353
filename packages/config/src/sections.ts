/** The sections of a `palimpsest.yaml`, for whoever reads one of them without the schema. A test compares them with it. */
export const SECTIONS: readonly string[] = [
  'context',
  'compression',
  'compaction',
  'hygiene',
  'budget',
  'models',
  'agent',
  'prompt',
  'store',
  'plugins',
];
