import { defineConfig } from 'vitest/config';

const conditions = ['@palimpsest/source', 'module', 'node', 'import', 'default'];
const report = process.env['TEST_REPORT_DIR'];

/** In-process tests: one process, no build needed. Tests that kill or spawn processes are `*.process.test.ts`, in vitest.process.config.ts; long ones `*.soak.test.ts`. */
export default defineConfig({
  ssr: { resolve: { conditions } },
  resolve: { conditions },
  /** Tests are in no package's tsconfig, where the compiler of tests looks for this flag. */
  oxc: { decorator: { legacy: true } },
  test: {
    include: ['{packages,apps,tools}/**/src/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.process.test.ts', '**/*.soak.test.ts', 'apps/example-engine/**'],
    setupFiles: ['vitest.setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 120_000,
    provide: { soak: false },
    passWithNoTests: false,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: `${report}/unit.json` }]],
  },
});
