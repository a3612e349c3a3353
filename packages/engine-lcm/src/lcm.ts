import type { EngineDefinition } from '@palimpsest/contracts';
import { defineContextEngine } from '@palimpsest/plugin-kit';
import { LcmEngine } from './engine.ts';
import { lcmOptions } from './options.ts';

/** Sums up whole turns as nodes that can be searched and expanded again. `plugin.yaml` says the same of it. */
export const lcm: EngineDefinition = defineContextEngine({
  name: 'lcm',
  version: '0.1.0',
  manifest: {
    contract: '^1.0',
    description: 'The lossless engine: sums up whole turns as nodes; the model can search and expand them.',
    main: 'dist/index.js',
  },
  options: lcmOptions,
  create: (host) => new LcmEngine(host),
});
