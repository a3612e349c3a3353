import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '@palimpsest/contracts';
import { configJsonSchema, knownKeys, ownSchema, schemaAt, type JsonSchema } from './json-schema.ts';

const compressor = {
  name: 'compressor',
  options: { type: 'object', properties: { target_ratio: { type: 'number', default: 0.2 } }, additionalProperties: false },
};
const accepts = (schema: JsonSchema, document: Json): boolean => z.fromJSONSchema(schema).safeParse(document).success;

describe('configJsonSchema', () => {
  it('takes an empty document and refuses unknown keys', () => {
    expect(accepts(configJsonSchema(), {})).toBe(true);
    expect(accepts(configJsonSchema(), { agent: { max_steps: 3 } })).toBe(true);
    expect(accepts(configJsonSchema(), { agent: { max_step: 3 } })).toBe(false);
    expect(accepts(configJsonSchema(), { colour: 'red' })).toBe(false);
  });

  it('leaves engines open until they are given', () => {
    expect(accepts(configJsonSchema(), { compression: { anything: 1 } })).toBe(true);
    const schema = configJsonSchema([compressor]);
    expect(accepts(schema, { compression: { target_ratio: 0.3, threshold: 0.4 } })).toBe(true);
    expect(accepts(schema, { compression: { target_ration: 0.3 } })).toBe(false);
    expect(schemaAt(schema, ['context', 'engines', 'compressor', 'target_ratio'])).toEqual({ type: 'number', default: 0.2 });
  });

  it('gives away no reference to its own state', () => {
    configJsonSchema([compressor]);
    expect(knownKeys(ownSchema, ['compression'])).not.toContain('target_ratio');
  });
});

describe('what an editor shows', () => {
  /** Every part of the schema that stands for something an operator writes, sections and chosen names included. */
  function parts(schema: JsonSchema, path: readonly string[] = []): readonly (readonly [string, JsonSchema])[] {
    const named = Object.entries((schema['properties'] ?? {}) as { [key: string]: JsonSchema });
    const open = schema['additionalProperties'];
    const inner: typeof named = typeof open === 'object' && open !== null && 'properties' in open ? [['<name>', open]] : [];
    return [...named, ...inner].flatMap(([key, part]) => [[[...path, key].join('.'), part] as const, ...parts(part, [...path, key])]);
  }
  const all = parts(configJsonSchema());

  it.each(all)('%s is described', (_, part) => {
    expect(part['description']).toMatch(/^[A-Z`].{7,}\.$/u);
  });

  it.each(all.filter(([, part]) => part['default'] !== undefined))('%s: the default is valid', (_, part) => {
    expect(accepts(part, part['default'] ?? null)).toBe(true);
  });

  const free = all.filter(
    ([path, part]) => part['enum'] === undefined && part['type'] !== 'boolean' && part['owner'] !== undefined && path !== 'budget.marks',
  );
  it.each(free)('%s has examples, all valid', (_, part) => {
    const examples = part['examples'] as Json[];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(accepts(part, example), JSON.stringify(example)).toBe(true);
  });

  it.each(all.filter(([, part]) => part['enum'] !== undefined))('%s: the default is one of the words it takes', (_, part) => {
    expect(part['enum']).toContain(part['default']);
  });

  it('covers the schema', () => {
    expect(all.map(([path]) => path)).toEqual(
      expect.arrayContaining([...keys(ownSchema).map(({ path }) => path), 'models', 'models.<name>', 'budget.marks', 'agent']),
    );
    expect(free.length).toBeGreaterThan(20);
    expect(configJsonSchema()).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'palimpsest.yaml' });
  });
});

/** Every key that the schema names, by its path; `<name>` stands for a key that the operator chooses. */
function keys(schema: JsonSchema, path: readonly string[] = []): readonly { readonly path: string; readonly schema: JsonSchema }[] {
  const children = Object.entries((schema['properties'] ?? {}) as { [key: string]: JsonSchema });
  const open = schema['additionalProperties'];
  if (children.length === 0 && typeof open === 'object' && open !== null && 'properties' in open) return keys(open, [...path, '<name>']);
  return children.length === 0 ? [{ path: path.join('.'), schema }] : children.flatMap(([key, child]) => keys(child, [...path, key]));
}

/** The schema's keys and the built-in engine's part of the table are two lists; this is the one that has to agree with code. */
it('is what the table of keys in the README says', () => {
  const rows = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, path, value, owner, meaning] = /^\| `([^`]+)` \| (.+?) \| (.+?) \| (.+) \|$/u.exec(line) ?? [];
      return path === undefined ? [] : [{ path, value, owner, meaning }];
    });
  const expected = keys(ownSchema).map(({ path, schema }) => ({
    path,
    value: schema['default'] === undefined ? '–' : `\`${JSON.stringify(schema['default'])}\``,
    owner: schema['owner'],
    meaning: schema['description'],
  }));
  expect(rows).toEqual(expected);
});
