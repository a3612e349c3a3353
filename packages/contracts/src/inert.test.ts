import { expect, it } from 'vitest';
import { inert } from './inert.ts';

const numberOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

it('leaves a terminal nothing to obey, and hides nothing', () => {
  expect(inert('a\u001b[31mb\u001b]0;t\u0007\r\n\tc\u009b2Jd\u007f')).toBe('a\\u001b[31mb\\u001b]0;t\\u0007\\u000d\n\tc\\u009b2Jd\\u007f');
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => /\p{Cc}/u.test(character) && !'\n\t'.includes(character),
  );
  expect(controls).toHaveLength(63);
  expect(inert(controls.join(''))).toBe(controls.map(numberOf).join(''));
});

it('shows what would turn the order of a line around, and leaves texts that are written from the right', () => {
  const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
  expect(inert(`a${marks.join('')}b`)).toBe(`a${marks.map(numberOf).join('')}b`);
  expect(inert('שלום عالم é 漢 😀 x\u00adx 👩‍👩')).toBe('שלום عالم é 漢 😀 x\u00adx 👩‍👩');
});

it('says the same in JSON', () => {
  const text = JSON.stringify({ a: 'x\u009b\u007f\u001b\u202ey é' }, null, 2);
  expect(inert(text)).toBe('{\n  "a": "x\\u009b\\u007f\\u001b\\u202ey é"\n}');
  expect(JSON.parse(inert(text))).toEqual(JSON.parse(text));
});
