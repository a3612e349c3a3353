import { describe, expect, it } from 'vitest';
import { takeApart } from './apart.ts';
import type { JsonObject } from './values.ts';

const isRecord = (value: JsonObject): boolean => typeof value['type'] === 'string' && 'id' in value;
const one = (id: number): string => `{"type":"r","id":${String(id)},"in":{"type":"text","text":"x"}}`;
const ids = (line: string): unknown[] => takeApart(line, isRecord).records.map(({ value }) => value['id']);

describe('taking a line apart', () => {
  it('reads glued records, also with NUL bytes and spaces between', () => {
    expect(ids(one(1) + one(2) + '\0\0 ' + one(3))).toEqual([1, 2, 3]);
    expect(takeApart(one(1) + one(2), isRecord)).toMatchObject({ skipped: [], notes: ['glued'] });
  });

  it('finds the record behind a cut-off one, and no inner object of it', () => {
    const cut = '{"type":"r","in":{"type":"text","text":"y"},"more":"abc';
    expect(takeApart(cut + one(2), isRecord)).toMatchObject({ skipped: ['torn'], notes: [], records: [{ value: { id: 2 } }] });
    expect(ids(cut)).toEqual([]);
  });

  it('lists what stands between whole records as torn', () => {
    expect(takeApart(`${one(1)}garbage${one(2)}}`, isRecord)).toMatchObject({
      skipped: ['torn', 'torn'],
      records: [{ value: { id: 1 } }, { value: { id: 2 } }],
    });
  });

  it('tells NUL lines and values that are no objects', () => {
    expect(takeApart('\0\0', isRecord)).toEqual({ records: [], skipped: ['nul'], notes: [] });
    expect(takeApart('[1]', isRecord).skipped).toEqual(['not-an-object']);
    expect(takeApart(`\0${one(1)}`, isRecord)).toMatchObject({ notes: ['nul'], records: [{ text: one(1) }] });
  });

  it('gives up on a hostile line instead of scanning it again and again', () => {
    const hostile = '{"a":'.repeat(200_000);
    expect(takeApart(hostile, isRecord).skipped).toEqual(['torn']);
  });
});
