import { describe, expect, it } from 'vitest';
import { isPalimpsestError, type Json } from '@palimpsest/contracts';
import { manifestOf } from '../test/definitions.ts';
import { definitionOf } from './load-engine.ts';

const manifest = manifestOf('deep', {
  options: { type: 'object', properties: { depth: { type: 'integer', minimum: 1, default: 2 } }, additionalProperties: false },
});
const factory = (): null => null;

describe('a bare factory', () => {
  const parse = (raw: Json): unknown => definitionOf(factory, manifest).parseOptions?.(raw);

  it("takes its options by the manifest's schema, frozen", () => {
    expect(definitionOf(factory, manifest)).toMatchObject({ manifest, factory });
    expect(parse(null)).toEqual({ depth: 2 });
    expect(Object.isFrozen(parse({ depth: 3 }))).toBe(true);
  });

  it('refuses what the schema refuses, every fault at its path', () => {
    const failure = (): unknown => {
      try {
        return parse({ depth: 0, dept: 1, 'a b': 1 });
      } catch (error) {
        return error;
      }
    };
    expect(isPalimpsestError(failure(), 'CONFIG_INVALID')).toBe(true);
    expect(failure()).toMatchObject({ details: { path: 'depth', others: [{ path: 'dept' }, { path: '["a b"]' }] } });
  });
});

describe('a definition', () => {
  const parseOptions = (): string => 'parsed';

  it('brings its own check and options; the rest is what plugin.yaml says', () => {
    const own = { ...manifest, description: 'from code', options: { type: 'object' } };
    expect(definitionOf({ manifest: own, factory, parseOptions }, manifest)).toEqual({
      manifest: { ...manifest, options: own.options },
      factory,
      parseOptions,
    });
    expect(definitionOf({ manifest, factory }, manifest).parseOptions?.({})).toEqual({ depth: 2 });
  });

  it.each<readonly [unknown, string]>([
    [{ manifest: { ...manifest, version: '2.0.0' }, factory }, 'plugin.yaml says deep 1.0.0, the module says deep 2.0.0'],
    [{ manifest: { ...manifest, name: 'other' }, factory }, 'the module says other 1.0.0'],
    ...[
      undefined,
      null,
      3,
      'deep',
      {},
      { manifest },
      { factory },
      { manifest: null, factory },
      { manifest, factory: 1 },
      { manifest, factory, parseOptions: 1 },
    ].map((wrong) => [wrong, 'neither an engine definition nor a factory'] as const),
  ])('is refused: %j', (exported, problem) => {
    expect(() => definitionOf(exported, manifest)).toThrow(problem);
  });
});
