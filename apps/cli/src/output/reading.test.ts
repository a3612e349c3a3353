import { expect, it } from 'vitest';
import { readingLines } from './reading.ts';

it('says what was left out and what was odd, by reason, over all sessions of a file', () => {
  const one = {
    skipped: [
      { line: 3, reason: 'torn' as const },
      { line: 4, reason: 'torn' as const },
    ],
    notes: [{ line: 1, reason: 'bom' }],
  };
  expect(readingLines([{ skipped: [], notes: [] }])).toEqual([]);
  expect(readingLines([one])).toEqual([
    'skipped: 2 torn (all with line numbers in --json)',
    'noted: 1 bom (all with line numbers in --json)',
  ]);
  expect(readingLines([one, { skipped: [{ index: 0, reason: 'empty-user' }], notes: [{ line: 9, reason: 'gzip-ended-early' }] }])).toEqual([
    'skipped: 2 torn, 1 empty-user (all with line numbers in --json)',
    'noted: 1 bom, 1 gzip-ended-early (all with line numbers in --json)',
  ]);
});
