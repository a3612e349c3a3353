import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Placed, Trust } from '@palimpsest/contracts';
import { lowestTrust, voicesOf } from './trust.ts';

const order: readonly Trust[] = ['user', 'assistant', 'tool', 'external'];
const said = (origin: string | null, kind: 'whole' | 'silent' = 'whole'): Placed =>
  ({ entry: origin === null ? { kind: 'custom', shown: 'x' } : { kind: 'message', origin }, shape: { kind } }) as unknown as Placed;

it('tells whose words an entry repeats, and takes no notice of what is never shown', () => {
  expect(voicesOf([said('user_input'), said('model'), said('tool'), said('handoff'), said(null), said('user_input', 'silent')])).toEqual([
    'user',
    'assistant',
    'tool',
    'external',
    'external',
  ]);
});

it('is worth the lowest voice, and never more than a tool', () => {
  expect(lowestTrust([])).toBe('tool');
  expect(lowestTrust(['user', 'assistant'])).toBe('tool');
  const voices = fc.array(fc.constantFrom(...order));
  fc.assert(
    fc.property(voices, (all) => order.indexOf(lowestTrust(all)) === Math.max(2, ...all.map((one) => order.indexOf(one)))),
    { seed: 7 },
  );
});
