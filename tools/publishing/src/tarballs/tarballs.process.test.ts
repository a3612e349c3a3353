import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageAt } from '../packages.ts';
import { faultsByPublint, faultsOfTypes } from './outside.ts';
import { pack, type Tarball } from './pack.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'palimpsest-planted-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const fields = {
  name: '@palimpsest/planted',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  files: ['dist'],
  engines: { node: '>=22.15' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
};

function planted(change: object, files: Readonly<Record<string, string>> = {}): Tarball {
  const all = {
    'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
    'packages/planted/package.json': JSON.stringify({ ...fields, ...change }),
    'packages/planted/dist/index.js': 'export const one = 1;\n',
    'packages/planted/dist/index.d.ts': 'export declare const one = 1;\n',
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const [tarball] = pack([packageAt(root, 'packages/planted')], root, root);
  if (tarball === undefined) throw new Error('nothing was packed');
  return tarball;
}

it('packs what the files of the manifest say', async () => {
  const tarball = planted({});
  expect([...tarball.paths].sort()).toEqual(['dist/index.d.ts', 'dist/index.js', 'package.json']);
  expect(await faultsByPublint(tarball)).toEqual([]);
  expect(await faultsOfTypes(tarball)).toEqual([]);
});

it('hears of an entry that is not there, and of a type that is hidden', async () => {
  expect(
    (await faultsByPublint(planted({ exports: { '.': { types: './dist/index.d.ts', default: './dist/gone.js' } } }))).join(),
  ).toContain('gone.js');
  expect(
    (await faultsByPublint(planted({ exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' } } }))).join(),
  ).toContain('types');
});

it('hears of types that are missing, or lead nowhere', async () => {
  expect(
    await faultsOfTypes(planted({ exports: { '.': './dist/bare.js' } }, { 'packages/planted/dist/bare.js': 'export const one = 1;\n' })),
  ).not.toEqual([]);
  const dangling = planted({}, { 'packages/planted/dist/index.d.ts': "export { one } from './gone.ts';\n" });
  expect((await faultsOfTypes(dangling)).join()).toContain('InternalResolutionError');
});

it('says what npm says where it cannot pack', () => {
  const { manifest } = planted({});
  expect(() => pack([{ folder: 'packages/none', manifest }], root, root)).toThrow(/npm pack failed: .*No workspaces found/su);
});
