import { expect, inject, it } from 'vitest';
import { PLANTS } from './plants.ts';
import { readFiles } from './read-files.ts';
import { escaped } from './self-test.ts';
import { joined } from './workspace.ts';

const files = readFiles(new URL('../../..', import.meta.url).pathname);

it.runIf(inject('soak'))(
  'finds every planted fault and accuses nothing innocent',
  () => {
    expect(escaped(files)).toEqual([]);
    expect(new Set(PLANTS.map(({ rule }) => rule)).size).toBeGreaterThan(20);
  },
  120_000,
);

it.runIf(inject('soak'))(
  'says so when a plant escapes: the self-test can fail',
  () => {
    const lawless = new Map(
      [...files].map(([path, text]) => [path, path.endsWith('package.json') ? text.replace('layer:feature', 'layer:tool') : text]),
    );
    expect(escaped(lawless).some((line) => line.startsWith('dependency-table escaped'))).toBe(true);
  },
  120_000,
);

it.each([
  ['packages/a', '../b', 'packages/b'],
  ['packages/a/src', './b.ts', 'packages/a/src/b.ts'],
  ['packages', '../../out', '../out'],
  ['', 'packages/a', 'packages/a'],
])('joins %s and %s', (folder, relative, path) => {
  expect(joined(folder, relative)).toBe(path);
});
