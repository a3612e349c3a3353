import { expect, it } from 'vitest';
import { messageOf } from './palimpsest-error.ts';

it.each<[string, unknown, string]>([
  ['an error', new Error('broke'), 'broke'],
  ['an error whose message is none', Object.assign(new Error('x'), { message: 42 }), '42'],
  ['a text', 'broke', 'broke'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('broke'), 'Symbol(broke)'],
])('says what %s says', (_name, thrown, text) => {
  expect(messageOf(thrown)).toBe(text);
});

it.each<[string, unknown]>([
  ['has no prototype', Object.create(null)],
  [
    'bites when it is shown',
    {
      toString: (): never => {
        throw new Error('bitten');
      },
    },
  ],
  [
    'bites when its message is read',
    Object.defineProperty(new Error('x'), 'message', {
      get: (): never => {
        throw new Error('bitten');
      },
    }),
  ],
  [
    'bites when it is asked what it is',
    new Proxy(
      {},
      {
        getPrototypeOf: (): never => {
          throw new Error('bitten');
        },
      },
    ),
  ],
])('is a text, and no error of its own, where what was thrown %s', (_name, thrown) => {
  expect(messageOf(thrown)).toBe('something was thrown that cannot be shown');
});
