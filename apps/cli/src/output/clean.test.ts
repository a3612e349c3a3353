import { expect, it } from 'vitest';
import { AnswerWriter } from './answer.ts';
import { clean, cleanJson, cleanLine } from './clean.ts';

it('leaves a terminal nothing to obey, and hides nothing', () => {
  expect(clean('a\u001b[31mb\u001b]0;t\u0007\r\n\tc\u009b2Jd\u007f\re')).toBe('a\\u001b[31mb\\u001b]0;t\\u0007\n\tc\\u009b2Jd\\u007f\\u000de');
  expect(cleanLine('a\u001b[1m\n\tb\r\n\u2028é 漢')).toBe('a\\u001b[1m  b  é 漢');
  expect(clean('é 漢 😀 x\u00adx')).toBe('é 漢 😀 x\u00adx');
});

it('shows what would turn the order of a line around', () => {
  const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];
  const numbers = marks.map((mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
  for (const cleaned of [clean, cleanLine]) expect(cleaned(`a${marks.join('')}b`)).toBe(`a${numbers.join('')}b`);
  expect(clean('שלום عالم')).toBe('שלום عالم');
});

it('says the same in JSON', () => {
  const text = JSON.stringify({ a: 'x\u009b\u007f\u001b\u202ey é\u2028' }, null, 2);
  expect(cleanJson(text)).toBe('{\n  "a": "x\\u009b\\u007f\\u001b\\u202ey é\u2028"\n}');
  expect(JSON.parse(cleanJson(text))).toEqual(JSON.parse(text));
});

it('writes an answer as it comes and ends its line once', () => {
  let written = '';
  const answer = new AnswerWriter((text) => { written += text; });
  answer.endLine();
  for (const piece of ['a\u001b', '[31mb', '', 'c\r', '\nd\r', 'e\n']) answer.say(piece);
  answer.endLine();
  answer.say('d\r');
  answer.endLine();
  answer.endLine();
  expect(written).toBe('a\\u001b[31mbc\nd\\u000de\nd\\u000d\n');
});
