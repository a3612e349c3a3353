import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

it('every part but opaque is a part of the AI SDK, and all tests of the package compile', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [at('../../../node_modules/typescript7/bin/tsc'), '-p', at('../tsconfig.test.json')],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
