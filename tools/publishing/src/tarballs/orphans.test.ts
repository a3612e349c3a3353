import { mkdirSync, mkdtempSync, rmSync, writeFileSync, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneOrphans } from './orphans.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'palimpsest-orphans-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

it('takes away what was built from a source that is gone, and nothing else', () => {
  const alive = [
    'packages/one/src/here.ts',
    'packages/one/src/deep/here.ts',
    'packages/one/dist/here.js',
    'packages/one/dist/here.d.ts.map',
    'packages/one/dist/deep/here.d.ts',
    'packages/one/dist/few/together.js',
    'packages/one/dist/quick-part.js',
    'packages/one/dist/.tsbuildinfo',
  ];
  write(...alive, 'packages/one/dist/gone.js', 'packages/one/dist/gone.js.map', 'packages/one/dist/deep/gone.d.ts');
  expect([...pruneOrphans(root, 'packages/one')].sort()).toEqual([
    'packages/one/dist/deep/gone.d.ts',
    'packages/one/dist/gone.js',
    'packages/one/dist/gone.js.map',
  ]);
  expect(globSync('**/*.{ts,js,map,tsbuildinfo}', { cwd: root }).sort()).toEqual(alive.filter((path) => !path.includes('/.')).sort());
  expect(pruneOrphans(root, 'packages/one')).toEqual([]);
});
