import { expect, it } from 'vitest';
import { AnswerWriter } from './answer.ts';
import { clean, cleanLine } from './clean.ts';

it('leaves a terminal nothing to obey, and hides nothing', () => {
  expect(clean('a\u001b[31mb\u001b]0;t\u0007\r\n\tc\u009b2Jd\u007f\re')).toBe(
    'a\\u001b[31mb\\u001b]0;t\\u0007\n\tc\\u009b2Jd\\u007f\\u000de',
  );
  expect(cleanLine('a\u001b[1m\n\tb\r\n\u2028é 漢')).toBe('a\\u001b[1m  b  é 漢');
  expect(clean('é 漢 😀 x\u00adx')).toBe('é 漢 😀 x\u00adx');
});

it('writes an answer as it comes and ends its line once', () => {
  let written = '';
  const answer = new AnswerWriter((text) => {
    written += text;
  });
  answer.endLine();
  for (const piece of ['a\u001b', '[31mb', '', 'c\r', '\nd\r', 'e\n']) answer.say(piece);
  answer.endLine();
  answer.say('d\r');
  answer.endLine();
  answer.endLine();
  expect(written).toBe('a\\u001b[31mbc\nd\\u000de\nd\\u000d\n');
});
