import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerWithin } from './tool-answer.ts';

const quarter = (text: string): number => Math.ceil(text.length / 4);

it('leaves an answer that fits as it is, to the last token', () => {
  expect(answerWithin('x'.repeat(400), 100, quarter)).toBe('x'.repeat(400));
  expect(answerWithin('x'.repeat(401), 100, quarter)).toMatch(
    /^x{100,}\n\[cut here: the answer has 101 tokens, and at most 100 are shown\]$/u,
  );
});

it('says what is missing although there is room for nothing else', () => {
  expect(answerWithin('x'.repeat(100), 3, quarter)).toBe('[cut here: the answer has 25 tokens, and at most 3 are shown]');
});

it('keeps the beginning, within its tokens, and cuts no pair in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 200, maxLength: 4_000 }), fc.integer({ min: 20, max: 400 }), (text, most) => {
      const answer = answerWithin(text, most, quarter);
      expect(quarter(answer)).toBeLessThanOrEqual(most);
      if (answer === text) return;
      const kept = answer.slice(0, answer.lastIndexOf('[cut here')).replace(/\n$/u, '');
      expect(text.startsWith(kept)).toBe(true);
      expect(/[\ud800-\udbff]$/u.test(kept)).toBe(false);
    }),
    { seed: 7, numRuns: 300 },
  );
});
