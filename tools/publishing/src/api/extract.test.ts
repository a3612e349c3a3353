import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageAt, ROOT } from '../packages.ts';
import { entriesOf } from './entries.ts';
import { extract, type Extracted } from './extract.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'palimpsest-planted-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A package with two entries, whose declarations these are. */
function extracted(index: string, more: string, hidden: string): Extracted {
  const exports = {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './more': { types: './dist/more.d.ts', default: './dist/more.js' },
    './plugin.yaml': './plugin.yaml',
  };
  const files = {
    'package.json': JSON.stringify({ name: '@palimpsest/planted', version: '1.0.0', exports }),
    'dist/index.d.ts': index,
    'dist/more.d.ts': more,
    'dist/hidden.d.ts': hidden,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'packages/planted', path)), { recursive: true });
    writeFileSync(join(root, 'packages/planted', path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return extract(root, entriesOf(packageAt(root, 'packages/planted')));
}

it('names a type that an export needs and no entry exports', () => {
  const { reports, faults } = extracted(
    "import type { Hidden, Shared } from './hidden.ts';\nexport declare function one(hidden: Hidden, shared: Shared): void;\n",
    "export type { Shared } from './hidden.ts';\n",
    'export interface Hidden {\n    a: string;\n}\nexport interface Shared {\n    b: string;\n}\n',
  );
  expect(faults).toEqual([
    {
      specifier: '@palimpsest/planted',
      rule: 'ae-forgotten-export',
      text: 'The symbol "Hidden" needs to be exported by the entry point index.d.ts',
    },
  ]);
  expect([...reports.keys()]).toEqual(['@palimpsest/planted', '@palimpsest/planted/more']);
  expect(reports.get('@palimpsest/planted')).toContain('export function one(hidden: Hidden, shared: Shared): void;');
}, 60_000);

it('wants what it reads to be built', () => {
  const entry = { specifier: '@palimpsest/planted', folder: 'packages/planted', types: 'packages/planted/dist/index.d.ts' };
  expect(() => extract(root, [entry])).toThrow('packages/planted/dist/index.d.ts is not there: run npm run build');
});
