import { expect, it } from 'vitest';
import { AnswerWriter } from './answer.ts';
import { clean, cleanJson, cleanLine } from './clean.ts';

it('leaves a terminal nothing to obey', () => {
  expect(clean('a\u001b[31mb\u001b]0;t\u0007\r\n\tc\u009b2Jd\u007f')).toBe('a[31mb]0;t\n\tc2Jd');
  expect(cleanLine('a\u001b[1m\n\tb\u0085é 漢')).toBe('a [1m  b é 漢');
  expect(clean('é 漢 😀 x\u00adx')).toBe('é 漢 😀 x\u00adx');
});

it('says the same in JSON', () => {
  const text = JSON.stringify({ a: 'x\u009b\u007f\u001by é' });
  expect(cleanJson(text)).toBe('{"a":"x\\u009b\\u007f\\u001by é"}');
  expect(JSON.parse(cleanJson(text))).toEqual(JSON.parse(text));
});

it('writes an answer as it comes and ends its line once', () => {
  let written = '';
  const answer = new AnswerWriter((text) => { written += text; });
  answer.endLine();
  for (const piece of ['a\u001b', '[31mb', '', 'c\n', '\u0007']) answer.say(piece);
  answer.endLine();
  answer.say('d');
  answer.endLine();
  answer.endLine();
  expect(written).toBe('a[31mbc\nd\n');
});
