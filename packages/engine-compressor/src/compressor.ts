import type { EngineDefinition } from '@palimpsest/contracts';
import { defineContextEngine } from '@palimpsest/plugin-kit';
import { CompressorEngine } from './engine.ts';
import { compressorOptions } from './options.ts';

/** The built-in engine. What a host is told of it stands in `plugin.yaml`; name, version and options have to agree with it. */
export const compressor: EngineDefinition = defineContextEngine({
  name: 'compressor',
  version: '0.1.0',
  manifest: {
    contract: '^1.0',
    description: 'The built-in lossy engine: keeps head and tail, sums up what lies between.',
    main: 'dist/index.js',
  },
  options: compressorOptions,
  create: (host) => new CompressorEngine(host),
});
