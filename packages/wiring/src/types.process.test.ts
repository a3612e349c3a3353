import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

it('holds every expectation of types.test-d.ts, in both compilers of the workspace', () => {
  expect(readFileSync(local('types.test-d.ts'), 'utf8').match(/@ts-expect-error/gu)).toHaveLength(14);
  for (const compiler of ['typescript7', 'typescript']) {
    const tsc = local(`../../../node_modules/${compiler}/bin/tsc`);
    expect(() => execFileSync(process.execPath, [tsc, '-p', local('.')], { stdio: 'pipe', encoding: 'utf8' })).not.toThrow();
  }
});
