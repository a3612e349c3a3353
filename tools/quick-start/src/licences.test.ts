import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { licencesOf } from './licences.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('brings the licence of each package once, and nothing for what is ours', () => {
  const licence = readFileSync(`${root}node_modules/picocolors/LICENSE`, 'utf8').trim();
  const ids = [
    `${root}node_modules/picocolors/picocolors.js`,
    `${root}node_modules/picocolors/other.js`,
    `${root}packages/store/dist/index.js`,
  ];
  expect(licencesOf(ids)).toBe(`/*!\npicocolors\n\n${licence}\n*/`);
  expect(licencesOf([`${root}packages/store/dist/index.js`])).toBe('');
});

it('refuses a package that brings none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-licences-'));
  mkdirSync(join(folder, 'node_modules', 'bare'), { recursive: true });
  expect(() => licencesOf([`${folder}/node_modules/bare/index.js`])).toThrow('has no licence file');
  rmSync(folder, { recursive: true });
});
