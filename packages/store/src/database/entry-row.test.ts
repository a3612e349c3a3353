import { expect, it } from 'vitest';
import { body } from '@palimpsest/contracts';
import { kindMask, packBody, packTime, unpackBody } from './entry-row.ts';
import { KINDS } from './kinds.ts';

it('knows every kind of entry, in the order in which they were stored first', () => {
  expect(KINDS).toEqual([
    'message',
    'prompt',
    'compaction',
    'reduction',
    'undo',
    'step',
    'branch-summary',
    'model-change',
    'engine-change',
    'custom',
    'label',
    'tombstone',
  ]);
  const known = body.options.map((option) => option.unwrap().shape.kind.value);
  expect([...KINDS].sort()).toEqual([...known].sort());
});

it('masks the kinds asked for', () => {
  expect([kindMask(['message']), kindMask(['prompt', 'tombstone']), kindMask([])]).toEqual([1, 2 + 2 ** 11, 0]);
});

it('keeps a time in milliseconds where that says it all', () => {
  expect(packTime('2026-01-01T00:00:00.123Z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 123));
  for (const time of ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00', 'yesterday', '']) expect(packTime(time)).toBe(time);
});

it('compresses steps and very long bodies only', () => {
  const long = JSON.stringify({ text: 'word '.repeat(500) });
  expect(typeof packBody('message', long)).toBe('string');
  for (const packed of [packBody('step', long), packBody('message', JSON.stringify({ text: 'word '.repeat(9000) }))])
    expect(packed).toBeInstanceOf(Buffer);
  expect(unpackBody(packBody('step', long))).toBe(long);
});
