import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAt, toJson } from './located.ts';
import { readYaml } from './read-yaml.ts';

const source = { origin: 'project', file: 'f.yaml', folder: '/p' } as const;
const read = (text: string): ReturnType<typeof readYaml> => readYaml(text, source);

describe('what is read', () => {
  it.each(['', '\n# nothing\n', '---\n', 'null', '~', '\uFEFF'])('%j is an empty document', (text) => {
    expect(toJson(read(text).root)).toEqual({});
    expect(read(text).faults).toEqual([]);
  });

  it('knows the line and column of every key and value', () => {
    const { root } = read('a:\n  b: 1\n  c:\n    - x\n    - y\n');
    expect(nodeAt(root, ['a', 'b'])).toMatchObject({ keyAt: { file: 'f.yaml', line: 2, column: 3 }, at: { line: 2, column: 6 } });
    expect(nodeAt(root, ['a', 'c', 1])).toMatchObject({ value: 'y', at: { line: 5, column: 7 } });
  });

  it('follows anchors and merge keys; own keys win, then earlier sources', () => {
    const { root, faults } = read('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  <<: [*x, *y]\n  c: 3\nw: *x\n');
    expect(faults).toEqual([]);
    expect(toJson(root)).toEqual({ x: { a: 1, b: 1 }, y: { b: 2, c: 2 }, z: { c: 3, a: 1, b: 1 }, w: { a: 1, b: 1 } });
    expect(nodeAt(root, ['z', 'b'])).toMatchObject({ path: ['z', 'b'], at: { line: 1 } });
    expect(nodeAt(root, ['w', 'a'])).toMatchObject({ path: ['w', 'a'], at: { line: 1 } });
  });

  it('lets an anchor that is written again stand for its newest value', () => {
    expect(toJson(read('a: &x {k: &y 1}\nb: &y 2\nc: *x\nd: *y').root)).toEqual({ a: { k: 1 }, b: 2, c: { k: 1 }, d: 2 });
  });

  it('reads YAML 1.2: off and yes are words', () => {
    expect(toJson(read('a: off\nb: yes\nc: true').root)).toEqual({ a: 'off', b: 'yes', c: true });
  });

  it('takes a quoted << as a key like any other', () => {
    expect(toJson(read('"<<": {a: 1}').root)).toEqual({ '<<': { a: 1 } });
  });
});

describe('what is refused, all of it and where it stands', () => {
  it.each([
    ['a: 1\na: 2', 2, 'this key is written twice'],
    ['1: a\n"1": b', 2, 'this key is written twice'],
    ['- a', 1, 'the document has to be a mapping of sections'],
    ['just text', 1, 'the document has to be a mapping of sections'],
    ['a: .nan', 1, 'only text, finite numbers, true, false and null can stand here'],
    ['a: *b', 1, 'no anchor "b" stands before this alias'],
    ['a: &a [*a]', 1, 'nested deeper than 64 levels, or an alias inside its own anchor'],
    ['a:\n  __proto__: {x: 1}', 2, '"__proto__" cannot be a key'],
    ['? [a]\n: 1', 1, 'a key has to be a plain word'],
    ['a:\n  <<: 3', 2, 'only mappings can be merged with <<'],
    ['a: !secret x', 1, 'Unresolved tag: !secret'],
    ['a: 1\n---\nb: 2', 2, 'Source contains multiple documents; please use YAML.parseAllDocuments()'],
  ])('%j', (text, line, problem) => {
    const { faults } = read(text);
    expect(faults.map((fault) => fault.problem)).toEqual([problem]);
    expect(faults[0]?.at?.line).toBe(line);
  });

  it('finds every repeated key, and reads on', () => {
    const { root, faults } = read('a: 1\na: 2\nb: {c: 1, c: 2}\nd: 4');
    expect(faults.map((fault) => fault.at?.line)).toEqual([2, 3]);
    expect(toJson(root)).toMatchObject({ d: 4 });
  });

  it('stops aliases that expand without end', () => {
    const levels = Array.from(
      { length: 9 },
      (_, index) => `l${String(index + 1)}: &l${String(index + 1)} [${`*l${String(index)},`.repeat(9)}]`,
    );
    const { faults } = read(`l0: &l0 [x]\n${levels.join('\n')}`);
    expect(faults.map((fault) => fault.problem)).toEqual(['the file holds, or its aliases expand to, more than 20000 values']);
  });

  it.each(['['.repeat(20_000), '{a: '.repeat(5_000), `${'- '.repeat(5_000)}x`])('survives nesting without end', (text) => {
    expect(read(text).faults.length).toBeGreaterThan(0);
  });
});

it('never throws, and what it reads without fault is plain data with places', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    ': ',
    '\n',
    '  ',
    '- ',
    '&x ',
    '*x',
    '<<',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|',
    '>',
    '#',
    '!',
    '%',
    '---',
    '...',
    '1',
    'null',
    '?',
    ',',
    '\t',
    '\u0000',
    'ü',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      ),
      (text) => {
        const { root, faults } = read(text);
        expect(root.kind).toBe('map');
        expect(faults.every((fault) => fault.at !== null && fault.at.line >= 1 && fault.problem !== '')).toBe(true);
        expect(JSON.parse(JSON.stringify(toJson(root)))).toEqual(toJson(root));
      },
    ),
    { seed: 14, numRuns: 1_500 },
  );
});

it('reads back any JSON document', () => {
  const key = fc.string().filter((text) => text !== '__proto__');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, tree, { noNullPrototype: true }), (document) => {
      const { root, faults } = read(JSON.stringify(document));
      expect(faults).toEqual([]);
      expect(toJson(root)).toEqual(JSON.parse(JSON.stringify(document)));
    }),
    { seed: 15, numRuns: 500 },
  );
});
