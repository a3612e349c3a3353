import { readFileSync } from 'node:fs';
import { configJsonSchema } from '@palimpsest/config';
import { errors } from '@palimpsest/contracts';
import { configSchema } from '@palimpsest/runtime';
import { describe, expect, it } from 'vitest';
import { configRows, takesOf } from './config-rows.ts';
import { errorRows } from './error-rows.ts';
import { ENGINES, pages, ROOT } from './pages.ts';

const catalogue = readFileSync(new URL('packages/contracts/src/errors/catalogue.ts', ROOT), 'utf8');

it.each([...pages()])('%s is what the source says', (path, text) => {
  expect(readFileSync(new URL(path, ROOT), 'utf8')).toBe(text);
});

it('shows the options of every engine that comes along', () => {
  expect(configJsonSchema(ENGINES)).toEqual(configSchema());
  expect(pages().get('docs/config.md')).toContain('| `context.engines.lcm.fold_fanout` | integer ≥ 2, ≤ 16 | `6` | the engine |');
});

it('has a row for every factory, with the code and kind that the factory gives', () => {
  const rows = errorRows(catalogue);
  expect(rows.map(({ factory }) => factory)).toEqual(Object.keys(errors));
  const { code, kind } = errors.storeClosed();
  expect(rows.find(({ factory }) => factory === 'storeClosed')).toMatchObject({ code, kind });
});

describe('an error row', () => {
  const rowOf = (fields: string): object | undefined =>
    errorRows(`export const errors = { some: (n: number) => new PalimpsestError({ ${fields} }) };`)[0];
  const head = "code: 'A_B', kind: 'plugin'";

  it.each([
    ["message: 'Plain.'", { message: 'Plain.', hint: null, retryable: false }],
    ['message: `${String(n)} of ${names.join(", ")}: ${messageOf(cause)}`', { message: '<n> of <names>: <cause>' }],
    ["message: `a${x === null ? '' : ` and ${x}`}`", { message: 'a[ and <x>]' }],
    ["message: 'm', ...(n === null ? {} : { hint: `Try ${n}.` }), retryable: true", { hint: 'Try <n>.', retryable: true }],
    ["message: 'm', retryable: n > 1", { retryable: 'sometimes' }],
  ])('of %s', (fields, expected) => {
    expect(rowOf(`${head}, ${fields}`)).toMatchObject({ code: 'A_B', kind: 'plugin', ...expected });
  });

  it('refuses a catalogue that it cannot read whole', () => {
    expect(() => rowOf("code: 'A_B', message: 'm'")).toThrow('lacks code, kind or message');
    expect(() => errorRows('export const other = {};')).toThrow('no object');
  });
});

describe('a config row', () => {
  it('stands for every key that holds a value, with the nearest owner', () => {
    const schema = {
      owner: 'outer',
      properties: {
        plain: { type: 'boolean', default: true, description: 'Switch.' },
        group: { owner: 'inner', properties: { deep: { type: 'number' } } },
        named: { additionalProperties: { properties: { url: { type: 'string' } } } },
      },
    };
    expect(configRows(schema)).toEqual([
      { path: 'plain', takes: 'boolean', preset: 'true', owner: 'outer', meaning: 'Switch.' },
      { path: 'group.deep', takes: 'number', preset: '', owner: 'inner', meaning: '' },
      { path: 'named.<name>.url', takes: 'string', preset: '', owner: 'outer', meaning: '' },
    ]);
  });

  it.each([
    [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer ≥ 1'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, 'number > 0, ≤ 1'],
    [{ enum: ['a', 'b'] }, '"a", "b"'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{}, 'anything'],
  ])('says what %j takes', (schema, words) => {
    expect(takesOf(schema)).toBe(words);
  });
});
