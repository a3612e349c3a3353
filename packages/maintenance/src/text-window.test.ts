import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyLongText } from '../test/monsters.ts';
import { cutTo, headOf, lineCount, tailOf, windowOf, type GapText } from './text-window.ts';

const mark: GapText = ({ characters, lines }) => `\n[${String(characters)}/${String(lines)}]\n`;
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

it('keeps head and tail, and says how much is between', () => {
  expect(cutTo('abcdefghij', 5, mark)).toBe('abc\n[5/1]\nij');
  expect(cutTo('abcde', 5, mark)).toBe('abcde');
  expect(cutTo('abc', 0, mark)).toBe('\n[3/1]\n');
});

it('cuts at a line break when one is near, and only then', () => {
  expect(headOf('first line\nsecond line', 14)).toBe('first line');
  expect(tailOf('first line\nsecond line', 14)).toBe('second line');
  expect(headOf(`a\n${'b'.repeat(900)}`, 400)).toHaveLength(400);
});

it('never cuts a pair of surrogates', () => {
  expect(headOf('🙂🙃', 3)).toBe('🙂');
  expect(tailOf('🙂🙃', 3)).toBe('🙃');
  expect(headOf('🙂🙃', 1)).toBe('');
});

it('counts lines', () => {
  expect(['', 'a', 'a\nb', '\n\n'].map(lineCount)).toEqual([0, 1, 2, 3]);
});

it('fills its room and stays within it; the text itself when that fits', () => {
  fc.assert(
    fc.property(anyLongText(3_000), fc.integer({ min: 20, max: 2_000 }), (text, maxTokens) => {
      const cut = windowOf(text, maxTokens, mark, tokensOf);
      expect(tokensOf(cut)).toBeLessThanOrEqual(maxTokens);
      expect(cut.isWellFormed()).toBe(true);
      if (tokensOf(text) <= maxTokens) expect(cut === text).toBe(true);
      else expect(tokensOf(cut)).toBeGreaterThanOrEqual(Math.min(tokensOf(text), maxTokens * 0.7) - 14);
    }),
    { seed: 20_260_401, numRuns: 300 },
  );
});

it('holds with a counter that costs more per character, as for Chinese', () => {
  const dear = (text: string): number => text.length;
  const cut = windowOf('文件未找到。'.repeat(4_000), 1_000, mark, dear);
  expect(dear(cut)).toBeLessThanOrEqual(1_000);
  expect(dear(cut)).toBeGreaterThan(850);
});

it('is the mark alone where not even that fits', () => {
  expect(windowOf('x'.repeat(100), 1, mark, tokensOf)).toBe('\n[100/1]\n');
});
