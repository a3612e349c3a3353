import { expect, it } from 'vitest';
import type { Manifest } from '../packages.ts';
import { faultsInside } from './inside.ts';

const contracts: Manifest = { name: '@palimpsest/contracts', version: '1.2.0' };
const manifest: Manifest = {
  name: '@palimpsest/one',
  version: '1.2.0',
  dependencies: { '@palimpsest/contracts': '1.2.0', zod: '^4.0.0' },
  exports: {
    '.': { '@palimpsest/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './plugin.yaml': './plugin.yaml',
  },
};
const paths = ['LICENSE', 'README.md', 'package.json', 'plugin.yaml', 'src/index.ts', 'dist/index.d.ts', 'dist/index.js'];

it('finds nothing in a tarball that holds what it promises', () => {
  expect(faultsInside({ manifest, paths }, [contracts, manifest])).toEqual([]);
});

it.each(['LICENSE', 'README.md', 'plugin.yaml', 'src/index.ts', 'dist/index.d.ts', 'dist/index.js'])(
  'misses %s, whatever leads to it',
  (path) => {
    expect(faultsInside({ manifest, paths: paths.filter((each) => each !== path) }, [contracts])).toEqual([`${path} is not in it`]);
  },
);

it('misses the file of a command', () => {
  expect(faultsInside({ manifest: { ...manifest, bin: { one: 'bin/one.js' } }, paths }, [contracts])).toEqual(['bin/one.js is not in it']);
});

it.each([
  'dist/.tsbuildinfo',
  'src/one.test.ts',
  'src/one.test-d.ts',
  'src/one.test-support.ts',
  'test/bench.ts',
  'dist/one.process.test.js',
])('wants no %s', (path) => {
  expect(faultsInside({ manifest, paths: [...paths, path] }, [contracts])).toEqual([`${path} does not belong in it`]);
});

it('wants what it needs of ours published, and of the same release', () => {
  expect(faultsInside({ manifest, paths }, [])).toEqual(['it needs @palimpsest/contracts, which is not published']);
  expect(faultsInside({ manifest, paths }, [{ ...contracts, version: '1.3.0' }])).toEqual([
    'it needs @palimpsest/contracts 1.2.0, and that is 1.3.0',
  ]);
});
