import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sessionId } from './ids.ts';
import { isSessionName } from './session-name.ts';

it('takes what the schema takes', () => {
  const odd = fc.constantFrom(
    '',
    'a\u0000',
    '\u001f',
    '\u007f',
    '\u0080',
    '\u009f',
    '\n',
    '\ud800',
    '😀'.repeat(100),
    '😀'.repeat(101),
    'a'.repeat(200),
    'a'.repeat(201),
  );
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 230 })), (text) => {
      expect(isSessionName(text)).toBe(sessionId.safeParse(text).success);
    }),
    { seed: 7, numRuns: 500 },
  );
  expect(['work', '', 'a\tb', 'a'.repeat(201)].map(isSessionName)).toEqual([true, false, false, false]);
});
