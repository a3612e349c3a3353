import { expect, it } from 'vitest';
import { ENGINE_CONTRACT_VERSION } from '@palimpsest/contracts';
import { contractProblem } from './contract-range.ts';

it.each([
  ['^1.0', '1.0-rc'],
  ['1.0', '1.0-rc'],
  ['^1.0', '1.0'],
  ['^1.0', '1.3'],
  ['^1.2', '1.3'],
  ['^1.0.0', '1.0'],
  ['1.0.4', '1.0.9'],
  ['^1.9', '1.10'],
])('%s runs on %s', (range, version) => {
  expect(contractProblem(range, version)).toBeNull();
});

it.each([
  ['^1.4', '1.3'],
  ['^2.0', '1.3'],
  ['^0.9', '1.0'],
  ['1.2', '1.3'],
  ['1.4', '1.3'],
  ['^1.10', '1.9'],
])('%s does not run on %s', (range, version) => {
  expect(contractProblem(range, version)).toBe(`contract ${range} is asked for, this host speaks ${version}`);
});

it.each(['', '1', '>=1.0', '1.x', 'latest', '^1.0 || ^2.0'])('%j is no range', (range) => {
  expect(contractProblem(range)).toContain('is no range');
});

it('knows its own version', () => {
  expect(contractProblem('^1.0', ENGINE_CONTRACT_VERSION)).toBeNull();
});
