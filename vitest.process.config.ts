import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

const report = process.env['TEST_REPORT_DIR'];

/** Crash and process tests: isolated, two files at a time; they run the built command. */
export default defineConfig({
  ...base,
  test: {
    include: ['{packages,apps,tools}/**/src/**/*.process.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    testTimeout: 120_000,
    provide: { soak: false },
    passWithNoTests: false,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: `${report}/process.json` }]],
  },
});
