import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** Crash and process tests: isolated, one file at a time; they run the built command. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['{packages,apps,tools}/**/src/**/*.process.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**'],
      pool: 'forks',
      isolate: true,
      fileParallelism: false,
      testTimeout: 120_000,
    },
  }),
);
