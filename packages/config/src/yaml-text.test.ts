import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';
import { toJson } from './located.ts';
import { yamlScalar, yamlText } from './yaml-text.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\u0085', '\u2028', '\uFEFF', '\ud800', '\r\n', 'a\n b\n', '\n', ' ', 'null', 'off', '1e3', '# x', '---'),
);
const read = (yaml: string): unknown => {
  const { root, faults } = readYaml(yaml, { origin: 'explicit', file: 'f', folder: '' });
  expect(faults).toEqual([]);
  return toJson(root);
};

it('reads back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b-c', 'ü', 'x: y', '#', ''), text, { noNullPrototype: true }), (document) => {
      expect(read(yamlText({ s: document }))).toEqual({ s: document });
    }),
    { seed: 51, numRuns: 500 },
  );
});

it('keeps to one line behind a key', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(text), fc.constant(null)), (value) => {
      const line = yamlScalar(value);
      expect(line).not.toContain('\n');
      expect(read(`s:\n  k: ${line}\n  # next\n`)).toEqual({ s: { k: JSON.parse(JSON.stringify(value)) as unknown } });
    }),
    { seed: 52, numRuns: 500 },
  );
});
