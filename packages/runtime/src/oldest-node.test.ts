import { expect, it } from 'vitest';
import { isNodeEnough, requireNode } from './oldest-node.ts';

it.each([
  ['v24.1.0', true],
  ['v22.15.0', true],
  ['v22.14.9', false],
  ['v20.20.2', false],
  ['v23.0.0', true],
])('Node %s runs it: %s', (version, isEnough) => {
  expect(isNodeEnough(version)).toBe(isEnough);
});

it('says what is needed and what there is', () => {
  expect(() => {
    requireNode('v20.20.2');
  }).toThrow(expect.objectContaining({ code: 'NODE_UNSUPPORTED', message: 'Palimpsest needs Node.js 22.15 or newer; this is v20.20.2.' }));
});
