import { defineConfig } from 'vitest/config';
import processes from './vitest.process.config.ts';

const report = process.env['TEST_REPORT_DIR'];

/** What `npm test` does in few rounds, in many; and what takes too long for it. The built command, as in vitest.process.config.ts. */
export default defineConfig({
  ...processes,
  test: {
    ...processes.test,
    include: [
      'apps/cli/src/{bad-input,command,ending,engine,kill,run}.process.test.ts',
      'apps/example-engine/src/engine.test.ts',
      'packages/conformance/src/{hostile,own-engines}.test.ts',
      'packages/runtime/src/{hostile-engines,invariants.property}.test.ts',
      'packages/store/src/processes.process.test.ts',
      'packages/transcripts/src/{fuzz,fuzz-documents}.test.ts',
      'packages/transcripts/src/memory.process.test.ts',
      'packages/transcripts/src/bytes/bytes.test.ts',
      'tools/boundaries/src/boundaries.test.ts',
      '{packages,apps,tools}/**/src/**/*.soak.test.ts',
    ],
    testTimeout: 600_000,
    provide: { soak: true },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: `${report}/soak.json` }]],
  },
});
