import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countExactly } from './count-tokens.ts';
import { portions, RUN_CHARACTERS, withoutLongRuns } from './runs.ts';

const longest = (text: string): number => Math.max(...withoutLongRuns(text).map((piece) => piece.length));

describe('a long run', () => {
  it.each([
    ['of letters', 'a'],
    ['of capitals', 'A'],
    ['of ideographs', '字'],
    ['of letters outside the basic plane', '𠀀'],
    ['of emoji', '😀'],
    ['of punctuation', '-'],
    ['of blanks', ' '],
    ['of line ends', '\n'],
    ['of line ends and blanks', '\n  '],
    ['of slashes and line ends', '/\n'],
    ['of letters and combining marks', 'e\u0301'],
    ['of punctuation and combining marks', '--\u0301'],
    ['of lone surrogates', '\ud800'],
  ])('%s is cut into slices', (_, unit) => {
    const text = unit.repeat(Math.ceil(80_000 / unit.length));
    const pieces = withoutLongRuns(text);
    expect(pieces.join('')).toBe(text);
    expect(longest(text)).toBeLessThanOrEqual(RUN_CHARACTERS);
    expect(pieces.length).toBeLessThanOrEqual(Math.ceil(text.length / (RUN_CHARACTERS - 1)));
  });

  it('is cut alone: the text around it stays in one piece', () => {
    const pieces = withoutLongRuns(`${'word '.repeat(500)}${'x'.repeat(2500)} ${'word '.repeat(500)}`);
    expect(pieces.map((piece) => piece.length)).toEqual([3500, 1000, 500 + 1 + 2500]);
  });

  it('is never cut inside a surrogate pair', () => {
    const pieces = withoutLongRuns(`x${'😀'.repeat(3000)}`);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.length).toBeGreaterThan(5);
  });
});

describe('text with breaks', () => {
  it.each([
    ['words', 'word '],
    ['numbers', '1234567890'],
    ['code', 'const a = b[0];\n\n  '],
    ['ideographs and their punctuation', '一二三四五六七八九十。'],
    ['dashes between blanks', '- '],
  ])('of %s stays whole', (_, unit) => {
    const text = unit.repeat(3000);
    expect(withoutLongRuns(text)).toEqual([text]);
  });
});

describe('portions', () => {
  it('hold the whole text, in order, none much longer than asked', () => {
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), fc.integer({ min: 2, max: 300 }), (text, size) => {
      const cut = portions(text, size);
      expect(cut.join('')).toBe(text);
      expect(Math.max(...cut.map((portion) => portion.length))).toBeLessThanOrEqual(size + RUN_CHARACTERS);
    });
    fc.assert(property, { seed: 5, numRuns: 200 });
  });

  it('count as much as the whole', () => {
    const word = fc.constantFrom('word', 'Word2', "don't", ' ', '  ', '\n', '\n\n\t', '()', '--', '字字', '。', 'é', '😀', 'x9', '==\n');
    const property = fc.property(fc.array(word, { minLength: 100, maxLength: 600 }), fc.integer({ min: 50, max: 300 }), (words, size) => {
      const text = words.join('');
      const cut = portions(text, size);
      // Only where no word ends before a blank is a portion cut hard; here the words always end soon.
      const sum = cut.reduce((tokens, portion) => tokens + countExactly(portion, 'o200k_base'), 0);
      expect(sum).toBe(countExactly(text, 'o200k_base'));
    });
    fc.assert(property, { seed: 5, numRuns: 200 });
  });
});
